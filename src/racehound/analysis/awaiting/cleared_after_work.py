"""Events that a worker clears when its round is done: what was set during the work is cleared away unseen."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.cleared_events import EVENTS, LOGGING, setter_of
from racehound.analysis.flow.branches import reaches_next_round
from racehound.analysis.meaning.kinds import NONE
from racehound.analysis.program import Program
from racehound.source.events import SELF, Call, Flow, Pause, Place
from racehound.source.facts import ClassFacts, FunctionFacts

_FIELD_AND_METHOD = 2


class ClearedAfterWork(NamedTuple):
    wait: int
    work: int
    clear: int
    event: Place
    setter: tuple[FunctionFacts, int]


def cleared_after_work(program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[ClearedAfterWork]:
    for clear, call in function.calls_of("clear"):
        event = _event(program, owner, call) if call.loop else None
        wait = _wait_before(function, clear, event, call.loop) if event is not None else None
        if event is None or wait is None or not _comes_round(function, clear):
            continue
        work = _work(function, wait, clear)
        setter = setter_of(program, owner, function, event) if work is not None else None
        if work is not None and setter is not None:
            yield ClearedAfterWork(wait, work, clear, event, setter)


def _event(program: Program, owner: ClassFacts, call: Call) -> Place | None:
    root, attributes = call.callee or Place("")
    if root != SELF or len(attributes) != _FIELD_AND_METHOD:
        return None
    kinds = program.kinds.field(owner, attributes[0]) - {NONE}
    return Place(SELF, attributes[:1]) if kinds and kinds <= EVENTS else None


def _wait_before(function: FunctionFacts, clear: int, event: Place, loop: int) -> int | None:
    """The wait of the same round, if the event is not cleared between the two."""
    for index in range(clear - 1, -1, -1):
        item = function.events[index]
        if isinstance(item, Call) and item.callee == Place(SELF, (*event.attributes, "clear")):
            return None
        if isinstance(item, Call) and item.callee == Place(SELF, (*event.attributes, "wait")):
            return index if item.loop == loop else None
    return None


def _comes_round(function: FunctionFacts, clear: int) -> bool:
    """True if nothing is done between the clearing and the next wait, which may come first in the loop."""
    for index in range(clear + 1, len(function.events)):
        event = function.events[index]
        if event is Flow.LOOP:
            return True
        if isinstance(event, Pause) or (isinstance(event, Call) and event.method not in LOGGING):
            return False
    return reaches_next_round(function.events, clear + 1, 0)


def _work(function: FunctionFacts, wait: int, clear: int) -> int | None:
    """A step between the two during which the event may be set, and after which nobody looks at what it told."""
    begin = wait + 1
    if function.is_async:
        begin = next((at for at in range(begin, clear) if isinstance(function.events[at], Pause)), clear) + 1
        pauses = [at for at in range(begin, clear) if isinstance(function.events[at], Pause)]
        return pauses[-1] if pauses and Flow.LOOP not in function.events[pauses[-1] : clear] else None
    calls = (at for at in range(begin, clear) if isinstance(function.events[at], Call))
    return next((at for at in calls if _is_work(function, at)), None)


def _is_work(function: FunctionFacts, index: int) -> bool:
    event = function.events[index]
    return isinstance(event, Call) and event.method not in LOGGING
