"""Looks at a queue between threads that something hangs on, and the waits or puts that follow them."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.flow.branches import dependent
from racehound.analysis.program import Program
from racehound.source.events import SELF, Call, Decision, Exit, Place
from racehound.source.facts import FunctionFacts

_QUEUES = frozenset({"Queue", "LifoQueue", "PriorityQueue", "SimpleQueue"})
_TASK_MODULES = frozenset({"asyncio", "trio", "anyio", "curio", "tornado", "janus", "gevent"})
_FOLLOWS = {"empty": "get", "qsize": "get", "full": "put"}
"""What a look at a queue is for."""
LOOKS = frozenset(_FOLLOWS)


class Look(NamedTuple):
    function: FunctionFacts
    place: Place
    check: int
    act: int
    method: str
    """`get` or `put`."""


def looks(program: Program, function: FunctionFacts) -> Iterator[Look]:
    """`if not q.empty(): q.get()`, where another thread may empty it in between and the `get` waits for ever."""
    asked = [*_asked(program, function), *_asked_by_helpers(program, function)]
    if not asked:
        return
    for at, decision in enumerate(function.events):
        if isinstance(decision, Decision):
            for index, call in asked:
                if index in decision.sources:
                    yield from _after(program, function, at, (index, call))


def _asked(program: Program, function: FunctionFacts) -> Iterator[tuple[int, Call]]:
    for index, event in enumerate(function.events):
        if isinstance(event, Call) and event.method in _FOLLOWS and is_queue(program, function, event):
            yield index, event


def _asked_by_helpers(program: Program, function: FunctionFacts) -> Iterator[tuple[int, Call]]:
    """Looks that methods of the same object answer with: `def _is_idle(self): return self._jobs.empty()`."""
    if function.owner is None:
        return
    for index, event in enumerate(function.events):
        if isinstance(event, Call) and event.callee == Place(SELF, (event.method,)):
            helper = program.hierarchy.method(function.owner, event.method)
            for look in _answers(program, helper) if helper is not None else ():
                yield index, look


def _answers(program: Program, helper: FunctionFacts) -> Iterator[Call]:
    told = {at for event in helper.events if isinstance(event, Exit) for at in event.sources}
    for at, look in _asked(program, helper) if told else ():
        place = receiver(look)
        if at in told and place is not None and place.root == SELF:
            yield look


def _after(program: Program, function: FunctionFacts, at: int, asked: tuple[int, Call]) -> Iterator[Look]:
    index, call = asked
    place, method = receiver(call), _FOLLOWS[call.method]
    ranges = dependent(function.events, at)
    for act, event in enumerate(function.events):
        if not isinstance(event, Call) or not any(start <= act < end for start, end in ranges):
            continue
        same = place is not None and event.method == method and receiver(event) == place
        if same and _waits(event) and not _is_locked(program, function, index, act):
            yield Look(function, place or Place(SELF), index, act, method)
            return


def receiver(call: Call) -> Place | None:
    return call.receiver.place if call.receiver is not None else None


def is_queue(program: Program, function: FunctionFacts, call: Call) -> bool:
    """True for a field, or a variable of others, that holds a queue between threads or processes."""
    place = receiver(call)
    if place is None or (place.root != SELF and place.root in function.bound):
        return False
    names = [str(kind).split(".") for kind in program.kinds.place(function, place) if isinstance(kind, str)]
    return any(name[-1] in _QUEUES and name[0] not in _TASK_MODULES for name in names)


def _waits(call: Call) -> bool:
    """False for `get(False)`, `get(timeout=1)` and `put(item, block=False)`."""
    given = {word for word, _ in call.keywords}
    return len(call.arguments) <= (call.method == "put") and not given & {"block", "timeout"}


def _is_locked(program: Program, function: FunctionFacts, first: int, last: int) -> bool:
    held = -1
    for index in range(first, last + 1):
        held &= program.locksets.at(function, index)
    return bool(held)
