"""The parts that an object has as long as it lives: what its constructor makes or keeps, and their parts."""

from collections.abc import Iterable

from racehound.analysis.program import Program
from racehound.source.closures import scope_of
from racehound.source.events import SELF, Call, Place
from racehound.source.facts import ClassFacts, FunctionFacts


def lasting_parts(program: Program, owner: ClassFacts) -> set[ClassFacts]:
    """The classes of such parts, with their bases, and the class itself."""
    found: set[ClassFacts] = set()
    open_ = [owner]
    while open_:
        item = open_.pop()
        if item not in found:
            found.update(program.hierarchy.linear(item))
            open_.extend(_parts(program, item))
    return found


def _parts(program: Program, owner: ClassFacts) -> list[ClassFacts]:
    names = {name for base in program.hierarchy.linear(owner) for name in program.kinds.written_names(base)}
    kinds = (
        kind
        for name in sorted(names)
        if is_made_with_it(program, owner, name)
        for kind in program.kinds.field(owner, name)
    )
    return [kind for kind in kinds if isinstance(kind, ClassFacts)]


def is_made_with_it(program: Program, owner: ClassFacts, name: str) -> bool:
    """True for a field that only the constructor sets."""
    return all(function.name == "__init__" for function, _ in program.kinds.field_values(owner, name))


def kept_by_modules(program: Program, functions: Iterable[FunctionFacts]) -> set[ClassFacts]:
    """The classes of objects in variables of modules that functions call methods of, or hand on."""
    found: set[ClassFacts] = set()
    for function in functions:
        for name in _mentioned(function):
            scope = scope_of(function, name)
            if name != SELF and (scope is None or scope.is_module_body):
                kinds = program.kinds.place(function, Place(name))
                found.update(kind for kind in kinds if isinstance(kind, ClassFacts))
    return found


def _mentioned(function: FunctionFacts) -> set[str]:
    calls = [event for event in function.events if isinstance(event, Call)]
    called = {call.callee.root for call in calls if call.callee is not None and call.callee.attributes}
    given = {value.place.root for call in calls for value in call.arguments if value.place is not None}
    return called | given
