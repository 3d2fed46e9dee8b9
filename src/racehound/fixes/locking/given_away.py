"""What a method gives away still looks into the state when the lock is given back; so it gives a copy away.

`return iter(self.entries)` holds a lock for nothing: whoever called goes through the entries without it.
"""

import ast
from collections.abc import Iterator
from typing import NamedTuple

from racehound.fixes.editing.editor import Editor, listed
from racehound.fixes.editing.reading import Reading, rebound
from racehound.fixes.locking.scopes import Scope, own_nodes
from racehound.fixes.locking.territory import Territory
from racehound.fixes.locking.units import Kind, Unit

_LATER = frozenset({"enumerate", "filter", "iter", "map", "reversed", "zip"})
"""Builtins that go over what they are given only when they are asked for the next item."""
_VIEWS = frozenset({"items", "keys", "values"})
_RAISE_IF_RESIZED = frozenset({"Counter", "OrderedDict", "defaultdict", "dict", "frozenset", "set"})


class Given(NamedTuple):
    """An expression that is to become a list, and what a reader should know of that."""

    node: ast.expr
    danger: str | None = None


def given_away(land: Territory, fields: frozenset[str]) -> tuple[Given, ...]:
    """Nothing where the file means something of its own by `list`."""
    if any(rebound(land.tree, "list")):
        return ()
    steady = land.made_by(_RAISE_IF_RESIZED) | _displays(land)
    units = (unit for unit in land.units if not unit.owned and not unit.suspends and unit.kind is not Kind.STATIC)
    return tuple(given for unit in units for given in _given_by(unit, fields, steady))


def copied(source: str, given: tuple[Given, ...]) -> str:
    """The same lines, in which lists are given away."""
    if not given:
        return source
    editor = Editor(Reading(source))
    for item in given:
        editor.expression(item.node, listed)
    return editor.text()


def _displays(land: Territory) -> frozenset[str]:
    kinds = ast.Dict | ast.DictComp | ast.Set | ast.SetComp
    return frozenset(item.name for item in land.made if isinstance(item.value, kinds))


def _given_by(unit: Unit, fields: frozenset[str], steady: frozenset[str]) -> Iterator[Given]:
    for node in own_nodes(unit.node):
        match node:
            case ast.Return(value=ast.Call(func=ast.Name(id=name), args=arguments)) if name in _LATER:
                for argument in arguments:
                    yield from _gone_over(argument, unit, fields, steady)
            case ast.Return(value=ast.Call() as view) if _viewed(view, unit.scope) in fields:
                yield Given(view, f"what `{unit.name}` returns is a list, and no view of the state any more")


def _gone_over(node: ast.expr, unit: Unit, fields: frozenset[str], steady: frozenset[str]) -> Iterator[Given]:
    """To go on after the container has been resized is an error for some kinds; of others it is made use of."""
    field = unit.scope.resolve(node) or _viewed(node, unit.scope)
    if field in fields:
        danger = f"what `{unit.name}` returns goes over a copy, and does not come to what is added later"
        yield Given(node, None if field in steady else danger)


def _viewed(node: ast.expr, scope: Scope) -> str | None:
    match node:
        case ast.Call(func=ast.Attribute(value=held, attr=name), args=[], keywords=[]) if name in _VIEWS:
            return scope.resolve(held)
    return None
