"""Locks that are taken while another one is held, as `with` statements say it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from racehound.fixes.editing.reading import Function, Reading

With = ast.With | ast.AsyncWith


@dataclass(frozen=True, slots=True, kw_only=True)
class Nesting:
    """Two locks, one taken while the other is held, both by `with` in one function."""

    function: Function
    outer: With
    outer_item: ast.withitem
    inner: With
    inner_item: ast.withitem

    @property
    def order(self) -> tuple[str, str]:
        return ast.unparse(self.outer_item.context_expr), ast.unparse(self.inner_item.context_expr)

    @property
    def is_direct(self) -> bool:
        """Nothing stands between the two."""
        if self.outer is self.inner:
            items = self.outer.items
            return items.index(self.inner_item) - items.index(self.outer_item) == 1
        ends = self.outer.items[-1] is self.outer_item and self.inner.items[0] is self.inner_item
        return ends and self.outer.body == [self.inner]


def nestings(reading: Reading) -> Iterator[Nesting]:
    """Every two `with` items of which one is entered while the other is held."""
    for outer in ast.walk(reading.tree):
        if not isinstance(outer, With):
            continue
        scope = reading.scope(outer)
        if not isinstance(scope, Function):
            continue
        held = list(_held(outer))
        for index, item in enumerate(outer.items):
            behind = [(outer, later) for later in outer.items[index + 1 :]]
            for inner, inner_item in [*behind, *held]:
                yield Nesting(function=scope, outer=outer, outer_item=item, inner=inner, inner_item=inner_item)


def _held(outer: With) -> Iterator[tuple[With, ast.withitem]]:
    waiting: list[ast.AST] = list(outer.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, With):
            yield from ((node, item) for item in node.items)
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(node)
