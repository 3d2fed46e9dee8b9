"""Threads that an object starts on itself: from which event on they run, and what they use."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import THREAD_CLASSES
from racehound.analysis.program import Program
from racehound.source.events import SELF, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_DEPTH = 4


class Start(NamedTuple):
    at: int
    """The thread runs after this event."""
    target: FunctionFacts


def starts(program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[Start]:
    """Where a function sets a thread going that runs a method of the same object."""
    own = bool(THREAD_CLASSES & program.hierarchy.outside_bases(owner))
    for index, event in enumerate(function.events) if Call in function.holds else ():
        if type(event) is not Call:
            continue
        run = program.hierarchy.method(owner, "run")
        if own and run is not None and event.callee == Place(SELF, ("start",)):
            yield Start(index, run)
        spawn = program.calls.spawn(function, event)
        if spawn is None or not _is_own(spawn.target):
            continue
        name = spawn.target.place.attributes[0] if spawn.target.place is not None else ""
        target = program.hierarchy.method(owner, name)
        begins = _begins(program, function, index, event)
        if target is not None and begins is not None:
            yield Start(begins, target)


def _is_own(value: Value) -> bool:
    return (
        value.shape is Shape.PLACE
        and value.place is not None
        and value.place.root == SELF
        and len(value.place.attributes) == 1
    )


def _begins(program: Program, function: FunctionFacts, index: int, made: Call) -> int | None:
    """A pool begins at once, a thread when it is started; None where that is left to others."""
    if made.method not in {"Thread", "Timer"} and not _is_thread(program, function, made):
        return index
    for later in range(index + 1, len(function.events)):
        event = function.events[later]
        if isinstance(event, Call) and event.method == "start" and not event.arguments:
            return later
    return None


def _is_thread(program: Program, function: FunctionFacts, made: Call) -> bool:
    """True for an object of a class of threads, which does not start itself."""
    kind = None if made.callee is None else program.kinds.callee(function, made.callee)
    if not isinstance(kind, ClassFacts) or not THREAD_CLASSES & program.hierarchy.outside_bases(kind):
        return False
    maker = program.hierarchy.method(kind, "__init__")
    return maker is None or not any(maker.calls_of("start"))


def used_by(
    program: Program, owner: ClassFacts, target: FunctionFacts, depth: int = _DEPTH
) -> dict[str, tuple[FunctionFacts, int]]:
    """Fields that a method uses, itself or through others of the same object, and where."""
    found: dict[str, tuple[FunctionFacts, int]] = {}
    for index, event in enumerate(target.events):
        if isinstance(event, Touch) and event.place.root == SELF and event.place.attributes:
            found.setdefault(event.place.attributes[0], (target, index))
        if isinstance(event, Call) and event.callee is not None and event.callee.root == SELF and depth:
            inner = (
                program.hierarchy.method(owner, event.callee.attributes[0]) if event.callee.attributes else None
            )
            if inner is not None and inner is not target:
                for name, where in used_by(program, owner, inner, depth - 1).items():
                    found.setdefault(name, where)
    return found
