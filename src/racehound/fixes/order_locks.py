"""One order for two locks: those who take them the other way round exchange the two.

Directly nested blocks and the items of one `with` are exchanged as they stand. Where statements stand between,
both locks are taken at the outer place, provided that nothing between may block or come back.
"""

import ast
from collections.abc import Hashable, Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.blocks import unwrapped
from racehound.fixes.editing.editor import Editor, Statement, lines_of
from racehound.fixes.editing.nesting import Nesting, nestings
from racehound.fixes.editing.quick import slow_parts
from racehound.fixes.editing.reading import Function, Reading
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding


class OrderLocks(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH201"})

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        finding = findings[0]
        reading = Reading(source)
        first, second = _accused(reading, finding)
        everywhere = [item for item in nestings(reading) if set(item.order) == set(first.order)]
        here = [item for item in everywhere if _same_locks(reading, item, first)]
        for wanted in _orders(here, first, second):
            wrong = [item for item in here if item.order != wanted]
            try:
                return _changed(reading, wrong, wanted)
            except CannotChange as error:
                refusal = error
        raise refusal

    def together(self, finding: Finding) -> Hashable:
        names = frozenset((finding.first.target, finding.second.target))
        return finding.rule, finding.subject.class_name, names


def _accused(reading: Reading, finding: Finding) -> tuple[Nesting, Nesting]:
    if finding.first.location.path != finding.second.location.path:
        raise CannotChange("the locks are taken in the other order in another file")
    if finding.further:
        raise CannotChange("more than two locks take part")
    first, second = (_at(reading, place.location.line) for place in (finding.first, finding.second))
    for one in first:
        for other in second:
            if one.order == other.order[::-1] and _same_locks(reading, one, other):
                return one, other
    raise CannotChange("one of the locks is taken in a function that is called, or by hand")


def _at(reading: Reading, line: int) -> list[Nesting]:
    return [item for item in nestings(reading) if item.inner_item.context_expr.lineno == line]


def _same_locks(reading: Reading, one: Nesting, other: Nesting) -> bool:
    """Whether the expressions name the same locks in both functions: those of the object, or of the module."""
    for text in one.order:
        root = text.partition(".")[0]
        is_local = [root in _bound(item.function) for item in (one, other)]
        if any(is_local):
            owners = [reading.parent(item.function) for item in (one, other)]
            receivers = [_receiver(item.function) for item in (one, other)]
            if not isinstance(owners[0], ast.ClassDef) or owners[0] is not owners[1] or receivers != [root, root]:
                return False
    return True


def _bound(function: Function) -> set[str]:
    return _stored(function) | {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}


def _receiver(function: Function) -> str | None:
    return function.args.args[0].arg if function.args.args else None


def _orders(here: Sequence[Nesting], first: Nesting, second: Nesting) -> tuple[tuple[str, str], tuple[str, str]]:
    """The order that more places have already comes first."""
    count = sum(item.order == first.order for item in here)
    return (first.order, second.order) if 2 * count >= len(here) else (second.order, first.order)


def _changed(reading: Reading, wrong: Sequence[Nesting], wanted: tuple[str, str]) -> Change:
    editor = Editor(reading)
    dangers: list[str] = []
    for item in wrong:
        if item.is_direct:
            _exchange(editor, item)
        else:
            _take_both(reading, editor, item)
            dangers.append(f"`{item.function.name}` now holds `{wanted[0]}` from the beginning of the block")
    functions = ", ".join(f"`{name}`" for name in dict.fromkeys(item.function.name for item in wrong))
    summary = f"{functions} takes `{wanted[0]}` before `{wanted[1]}`"
    return Change(editor.text(), summary, tuple(dict.fromkeys(dangers)))


def _exchange(editor: Editor, item: Nesting) -> None:
    if type(item.outer) is not type(item.inner):
        raise CannotChange("one of the locks is entered with `async with`, the other is not")
    for part in (item.outer_item, item.inner_item):
        if part.optional_vars is not None:
            raise CannotChange("a lock is given a name by its `with`")
    outer, inner = item.order
    editor.replace(item.outer_item.context_expr, inner)
    editor.replace(item.inner_item.context_expr, outer)


def _take_both(reading: Reading, editor: Editor, item: Nesting) -> None:
    """The inner lock, taken before the outer one; its own block goes away."""
    if item.outer is item.inner or len(item.inner.items) > 1 or len(item.outer.items) > 1:
        raise CannotChange("more is entered between the two locks")
    if isinstance(item.outer, ast.AsyncWith) or isinstance(item.inner, ast.AsyncWith):
        raise CannotChange("locks of asyncio are taken, with statements between")
    if item.outer_item.optional_vars is not None or item.inner_item.optional_vars is not None:
        raise CannotChange("a lock is given a name by its `with`")
    between = slow_parts(item.outer.body, aside=item.inner)
    if between:
        told = ", ".join(f"`{text}`" for text in between)
        raise CannotChange(f"what stands between the two locks may block or come back: {told}")
    outer, inner = item.order
    if inner.partition(".")[0] in _stored(item.outer):
        raise CannotChange(f"`{inner}` is known only within the block")
    reading.block(item.inner)
    editor.statement(item.inner, _without_with)
    editor.statement(item.outer, lambda old: [_with_first(old, inner, outer)])


def _stored(node: ast.AST) -> set[str]:
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}


def _without_with(old: Statement) -> list[Statement]:
    assert isinstance(old, cst.With)  # noqa: S101 - as the tree says
    return unwrapped(old.body, lines_of(old))


def _with_first(old: Statement, *locks: str) -> Statement:
    assert isinstance(old, cst.With)  # noqa: S101 - as the tree says
    return old.with_changes(items=[cst.WithItem(cst.parse_expression(lock)) for lock in locks])
