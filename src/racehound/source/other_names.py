"""Names that stand for something that has a name already: `failures = self._failures`, `pause = time.sleep`."""

import ast
import re
import sys

from racehound.source.events import SELF, Place, Shape, Value
from racehound.source.walk import Walk

_OBJECT = Place(SELF)
_VIEWS = frozenset({"items", "keys", "values"})


def assign_name(walk: Walk, name: str, values: tuple[Value, ...]) -> None:
    """A plain name takes a value; it may become another name for a shared place."""
    walk.bind(name, values)
    place = _seen_by(values[0]) if len(values) == 1 else None
    if place is not None and (walk.is_tracked(place) or _stays(walk, place)):
        walk.aliases[name] = place


def note_renaming(walk: Walk, name: str, values: tuple[Value, ...]) -> None:
    """`pause = time.sleep` at the top of a module says what `from time import sleep as pause` says."""
    place = values[0].place if len(values) == 1 and values[0].shape is Shape.PLACE else None
    if place is None:
        return
    imports = walk.surroundings.imports
    origin = imports.get(place.root)
    is_only = len(walk.facts.module.variables.get(name, ())) == 1
    if is_only and place.attributes and origin is not None and origin.partition(".")[0] in sys.stdlib_module_names:
        imports[name] = ".".join((origin, *place.attributes))


def note_stores(walk: Walk, targets: list[ast.expr]) -> None:
    """`board.score = board.score + points` writes what it has read: the place is known before the value is."""
    for target in targets:
        if type(target) is ast.Attribute and type(target.value) is ast.Name:
            place = walk.member(target.value.id, target.attr)
            if target.value.id in walk.surroundings.imports and walk.is_imported(place):
                walk.stored.add(place)


def note_changed_arguments(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """`quota.used = used + 1` in a coroutine that was given the quota: what it read of that before matters."""
    given = frozenset(walk.facts.parameters) - {walk.self_name}
    for line in walk.surroundings.lines[node.lineno : node.end_lineno] if given else ():
        found = _CHANGED.match(line)
        if found is not None and found[1] in given:
            walk.stored.add(walk.member(found[1], found[2]))


def changed_attributes(text: str) -> frozenset[Place]:
    """By `seat.owner = user`, read off the text of a module: a look at the owner of a seat matters, then."""
    found = {(root, name) for root, name in _STORED.findall(text) if root not in _OWN}
    return frozenset(Place(root, (name,)) for root, name in found)


_OWN = frozenset({"self", "cls"})
_STORED = re.compile(r"^[ \t]+(\w+)\.(\w+)[ \t]*(?:[-+*/|&]|//)?=(?!=)", re.MULTILINE)
_CHANGED = re.compile(r"\s+(\w+)\.(\w+)\s*=(?!=)")


def _stays(walk: Walk, place: Place) -> bool:
    """True for the object itself, a class, and what a module has: `spawn = asyncio.create_task`."""
    root, attributes = place
    if root == SELF or root in walk.facts.bound or root in walk.facts.parameters:
        return place == _OBJECT
    return root in (walk.surroundings.imports if attributes else walk.surroundings.classes)


def _seen_by(value: Value) -> Place | None:
    """The place that a value is, or is a view of: `table.values()` shows what comes into the table later."""
    if value.shape is Shape.CALL and value.name in _VIEWS and not value.arguments and value.place is not None:
        root, attributes = value.place
        return Place(root, attributes[:-1]) if attributes else None
    return value.place if value.shape is Shape.PLACE else None
