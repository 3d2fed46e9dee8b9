"""Objects that a class keeps and calls under its lock: which calls change them, and which hold no lock."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.meaning.kinds import NONE
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.source.events import SELF, Action, Call, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_DEPTH = 3
"""How far the methods of the object are followed into each other."""


class Visit(NamedTuple):
    """A call of a method that changes the object which a field holds."""

    use: Use
    """The call, as a use of the field."""
    method: FunctionFacts
    changed: frozenset[str]
    """Attributes of the object that the method changes."""
    stepped: frozenset[str]
    """Those of them that it looks at as well."""


def kept_objects(program: Program, owner: ClassFacts) -> Iterator[tuple[str, list[Visit]]]:
    """Fields that hold one object of a class without locks of its own, with the calls that change it."""
    held = {
        name: kind
        for name in program.kinds.written_names(owner)
        if (kind := _kept(program, owner, name)) is not None
    }
    found: dict[str, list[Visit]] = {}
    for function in program.hierarchy.effective(owner) if held else ():
        if Touch in function.holds and not is_constructor(function):
            for index, event in enumerate(function.events):
                if type(event) is Touch and event.method and event.place.root == SELF:
                    name = event.place.attributes[0]
                    if name in held and len(event.place.attributes) == 1:
                        visit = _visit(program, held[name], function, index, event)
                        found.setdefault(name, []).extend(visit)
    yield from found.items()


def _kept(program: Program, owner: ClassFacts, name: str) -> ClassFacts | None:
    kinds = program.kinds.field(owner, name) - {NONE}
    kind = next(iter(kinds), None)
    if len(kinds) != 1 or not isinstance(kind, ClassFacts) or program.hierarchy.are_related(kind, owner):
        return None
    sharing = program.shared.why(kind)
    return kind if sharing is None or not sharing.is_meant else None


def _visit(
    program: Program, kind: ClassFacts, function: FunctionFacts, index: int, touch: Touch
) -> Iterator[Visit]:
    method = program.hierarchy.method(kind, touch.method)
    if method is None or method.is_async:
        return
    inside = _reached(program, kind, method)
    changed, stepped = set[str](), set[str]()
    for name, uses in program.fields.of_class(kind).items():
        own = [use for use in uses if use.function in inside]
        if any(use.changes for use in own):
            changed.add(name)
            if any(not use.changes for use in own) or len(own) > 1:
                stepped.add(name)
    if changed:
        locks = program.locksets.at(function, index)
        use = Use(function, index, touch._replace(action=Action.MUTATE), locks, changes=True)
        yield Visit(use, method, frozenset(changed), frozenset(stepped))


def _reached(program: Program, kind: ClassFacts, method: FunctionFacts) -> set[FunctionFacts]:
    reached, edge = {method}, [method]
    for _ in range(_DEPTH):
        called = (
            program.hierarchy.method(kind, event.method)
            for item in edge
            for event in item.events
            if type(event) is Call and event.callee is not None and event.callee.root == SELF
        )
        edge = [item for item in called if item is not None and item not in reached]
        reached.update(edge)
    return reached
