"""Methods that close what an object works with, and set the flag that says so only afterwards."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.cleared import is_tear_down
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.source.events import SELF, Action, Place, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_CLOSING = frozenset({"close", "aclose", "shutdown", "stop", "disconnect", "terminate", "abort", "kill", "cancel"})
_FLAG = re.compile(
    r"clos|stop|shut|runn|connect|alive|active|open|finish|terminat|quit|exit|dispos", re.IGNORECASE
)
_FIELD_AND_METHOD = 2


class ClosedFirst(NamedTuple):
    resource: str
    close: int
    """Index of the call that closes it."""
    store: Use
    look: Use
    use: int
    """Where the function that looks at the flag works with the resource."""


def closed_first(program: Program, owner: ClassFacts) -> Iterator[ClosedFirst]:
    for function in owner.methods.values():
        closed = list(closes(function)) if is_tear_down(function) else []
        for field, uses in program.fields.of_class(owner).items() if closed else ():
            store = _only_store(function, uses) if is_flag_of_end(field) else None
            if store is not None:
                for resource, close in closed:
                    if _comes_between(program, function, close, store):
                        yield from _met(program, store, (resource, close), uses)


def is_flag_of_end(field: str) -> bool:
    return _FLAG.search(field) is not None


def closes(function: FunctionFacts) -> Iterator[tuple[str, int]]:
    for name in _CLOSING:
        for index, call in function.calls_of(name):
            root, attributes = call.callee or Place("")
            if root == SELF and len(attributes) == _FIELD_AND_METHOD:
                yield attributes[0], index


def _only_store(function: FunctionFacts, uses: list[Use]) -> Use | None:
    stores = [use for use in uses if use.function is function and use.changes]
    if len(stores) != 1 or stores[0].touch.action is not Action.WRITE:
        return None
    values = stores[0].touch.values
    plain = bool(values) and all(
        value.shape is Shape.CONSTANT and value.name in {"True", "False"} for value in values
    )
    return stores[0] if plain else None


def _comes_between(program: Program, function: FunctionFacts, close: int, store: Use) -> bool:
    """True if others may run after the one and before the other."""
    paths = program.awaits.paths(function)
    if not paths.reaches(close, store.index) or store.locks & program.locksets.at(function, close):
        return False
    return not function.is_async or paths.pause_between(close, store.index) is not None


def _met(program: Program, store: Use, closed: tuple[str, int], uses: list[Use]) -> Iterator[ClosedFirst]:
    resource, close = closed
    function = store.function
    for look in uses:
        other = outer_method(look.function)
        if look.touch.action is not Action.CHECK or other is function or is_tear_down(other):
            continue
        for use in works_with(look.function, resource):
            if function.is_async:
                met = look.function.is_async and program.awaits.paths(look.function).decided_by(look.index, use)
            else:
                met = bool(program.contexts.of(look.function)) and _looks_when_it_fails(look, use)
            if met:
                yield ClosedFirst(resource, close, store, look, use)
                return


def works_with(function: FunctionFacts, resource: str) -> Iterator[int]:
    for index, event in enumerate(function.events):
        if isinstance(event, Touch) and event.method and event.method not in _CLOSING:
            root, attributes = event.place
            if root == SELF and attributes[:1] == (resource,):
                yield index


def _looks_when_it_fails(look: Use, use: int) -> bool:
    """True if the flag decides what an error of the resource means."""
    return any(
        attempt.begin <= use < attempt.end
        and any(begin <= look.index < end for begin, end in (caught.events for caught in attempt.handlers))
        for attempt in look.function.attempts
    )
