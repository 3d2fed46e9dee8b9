"""Threads and tasks that an object starts on itself, and flags that only they set to say that they run."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import THREADS
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.threads.starts import Start, starts
from racehound.source.events import CHANGES, SELF, Action, Call, Place, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

_DEPTH = 2


class LateNote(NamedTuple):
    look: Use
    """Decides whether to start."""
    start: Start
    note: tuple[FunctionFacts, int]
    """Where what was started says that it runs."""


def late_notes(program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[LateNote]:
    """Flags that decide about a start, and that only the one who was started sets."""
    begun = list(_begun(program, owner, function))
    if not begun or _claims(function):
        return
    paths = program.awaits.paths(function)
    for field, uses in program.fields.of_class(owner).items():
        looks = [use for use in uses if use.function is function and _asks(use, field)]
        for start in begun if looks else ():
            deciding = [look for look in looks if paths.decided_by(look.index, start.at)]
            note = _note(program, owner, start.target, field) if deciding else None
            if note is not None:
                yield LateNote(deciding[-1], start, note)


def _begun(program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[Start]:
    yield from starts(program, owner, function)
    for start in program.coroutines.starts(function) if Call in function.holds else ():
        if start.what == "a task" and program.hierarchy.method(owner, start.target.name) is start.target:
            yield Start(start.at, start.target)
    for index, call in function.calls_of("start"):
        root, attributes = call.callee or Place("")
        of_field = root == SELF and len(attributes) == _FIELD_AND_METHOD
        if of_field and program.kinds.field(owner, attributes[0]) & THREADS:
            yield from (Start(index, item) for item in _targets(program, owner, attributes[0]))


_FIELD_AND_METHOD = 2


def _targets(program: Program, owner: ClassFacts, field: str) -> Iterator[FunctionFacts]:
    """Methods that the threads kept in a field run."""
    for maker, value in program.kinds.field_values(owner, field):
        given = [item for word, item in value.keywords if word == "target"]
        for item in given if value.shape is Shape.CALL else ():
            target = program.calls.function(maker, item)
            if target is not None and target.is_method:
                yield target


def _asks(use: Use, field: str) -> bool:
    touch = use.touch
    return touch.action is Action.CHECK and touch.place == Place(SELF, (field,)) and not touch.key


def _claims(function: FunctionFacts) -> bool:
    """True if the function looks at something that it changes itself: a second caller turns back there."""
    touches = [event for event in function.events if isinstance(event, Touch) and event.place.root == SELF]
    looked = {event.place.attributes[:1] for event in touches if event.action not in CHANGES}
    return any(event.action in CHANGES and event.place.attributes[:1] in looked for event in touches)


def _note(
    program: Program, owner: ClassFacts, target: FunctionFacts, field: str, depth: int = _DEPTH
) -> tuple[FunctionFacts, int] | None:
    """Where a function first sets the flag, itself or through a method of the same object; not when it fails."""
    failing = [caught.events for attempt in target.attempts for caught in attempt.handlers]
    for index, event in enumerate(target.events):
        if any(begin <= index < end for begin, end in failing):
            continue
        if isinstance(event, Touch) and event.place == Place(SELF, (field,)) and event.action is Action.WRITE:
            raised = any(value.shape is Shape.CONSTANT and value.name == "True" for value in event.values)
            return (target, index) if raised else None
        inner = _own_method(program, owner, event) if depth else None
        found = _note(program, owner, inner, field, depth - 1) if inner is not None else None
        if found is not None:
            return found
    return None


def _own_method(program: Program, owner: ClassFacts, event: object) -> FunctionFacts | None:
    if not isinstance(event, Call) or event.callee != Place(SELF, (event.method,)):
        return None
    return program.hierarchy.method(owner, event.method)
