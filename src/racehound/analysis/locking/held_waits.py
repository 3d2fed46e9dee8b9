"""Waits for something outside of the program, with a lock between tasks held: whoever wants it waits as long."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.locking.takings import TASK_PLAIN
from racehound.analysis.program import Program
from racehound.source.events import CHANGES, SELF, Acquire, Call, Event, Pause, Release, Span, Touch
from racehound.source.facts import FunctionFacts

_LISTENING = frozenset({"readline", "readuntil", "readexactly", "recv", "receive"})
_OF_THE_PROGRAM = frozenset(
    {
        *("acquire", "put", "join", "wait", "wait_for", "gather", "shield", "notify", "drain"),
        *("run_in_executor", "to_thread", "run_sync", "run_in_threadpool"),
    }
)
"""Waits for other tasks, which have rules of their own, waits with a limit, and what is over soon, as a rule."""
_NO_TIME = frozenset({"0", "moment"})


class Section(NamedTuple):
    """What a function does between taking a lock and giving it back."""

    function: FunctionFacts
    begin: int
    end: int
    lock: int
    span: Span
    """Where it takes the lock."""

    @property
    def inside(self) -> list[Event]:
        return self.function.events[self.begin + 1 : self.end]


class HeldWait(NamedTuple):
    section: Section
    call: Call
    pause: Pause
    rival: Section
    """Another section of the same lock, or the same one, for a second task."""

    is_needed: bool = True
    """What the lock guards is used before the wait and behind it, or nobody takes the lock for a moment."""

    @property
    def is_listening(self) -> bool:
        """True if nothing is asked for before, so that the other side may be silent for any time."""
        return _listens(self.call) and self.rival.function is not self.section.function


def held_waits(program: Program, function: FunctionFacts) -> Iterator[HeldWait]:
    if not function.is_async or Acquire not in function.holds:
        return
    for section in _sections(program, function):
        found = _foreign_wait(program, section)
        if found is not None:
            rival = _rival(program, section, found[0])
            passer = None if rival is not section else _passer_by(program, section)
            met = passer or (section if _keeps_out_itself(program, section, *found) else None)
            if met is not None and not _spans(section, found[1]):
                yield HeldWait(section, *found, met, is_needed=False)
            else:
                yield HeldWait(section, *found, rival)


def _passer_by(program: Program, section: Section) -> Section | None:
    """Another section of the lock that waits for nothing: it looks at what the lock guards, or changes it."""
    owner = section.function.owner
    methods = section.function.module.functions if owner is None else owner.methods.values()
    for method in methods:
        for other in _sections(program, method) if method is not section.function and method.is_async else ():
            if other.lock & section.lock and not any(isinstance(event, Pause | Acquire) for event in other.inside):
                return other
    return None


def _keeps_out_itself(program: Program, section: Section, call: Call, pause: Pause) -> bool:
    """True if two tasks come here, and what the lock guards is changed on one side of the wait only.

    Where the wait is for something that the object has for itself, the lock may be there to take turns at it.
    """
    function = section.function
    place = call.receiver.place if call.receiver is not None else None
    of_all = call.method in _REQUESTS and bool(call.arguments)
    if (place is not None and place.root == SELF and not of_all) or not program.tasks.may_overlap(
        function, function
    ):
        return False
    at = next(index for index, event in enumerate(section.inside) if event is pause)
    sides = section.inside[:at], section.inside[at + 1 :]
    return sum(any(_is_change(function, event) for event in side) for side in sides) == 1


def _is_change(function: FunctionFacts, event: Event) -> bool:
    return isinstance(event, Touch) and event.action in CHANGES and event.place.root not in function.bound


_REQUESTS = frozenset({"get", "post", "put", "patch", "delete", "request", "fetch"})
"""What a client does for many at the same time."""


def _spans(section: Section, pause: Pause) -> bool:
    """True if what is used before the wait is used behind it as well: the lock has to be held over the wait."""
    at = next(index for index, event in enumerate(section.inside) if event is pause)
    before = {event.place for event in section.inside[:at] if isinstance(event, Touch)}
    changed = (
        event.place for event in section.inside[at:] if isinstance(event, Touch) and event.action in CHANGES
    )
    return not before.isdisjoint(changed)


def _sections(program: Program, function: FunctionFacts) -> Iterator[Section]:
    for begin, event in enumerate(function.events):
        if (
            isinstance(event, Acquire)
            and event.is_async
            and program.kinds.value(function, event.value) & TASK_PLAIN
        ):
            end = next(
                (at for at in range(begin, len(function.events)) if _ends(function.events[at], event)), None
            )
            lock = program.locksets.taken(function, event.value)
            if end is not None and lock:
                yield Section(function, begin, end, lock, event.span)


def _ends(event: Event, entered: Acquire) -> bool:
    return isinstance(event, Release) and event.value == entered.value and is_inside(entered.span, event.span)


def _foreign_wait(program: Program, section: Section) -> tuple[Call, Pause] | None:
    """The first wait for what is not of the program; none where a limit is set.

    To enter an object that is made there is seldom a wait, but it stands for those in its block.
    """
    inside = section.inside
    if any(isinstance(event, Acquire) and "timeout" in event.value.name.lower() for event in inside):
        return None
    found = [
        (call, pause)
        for call, pause in pairwise(inside)
        if isinstance(call, Call)
        and isinstance(pause, Pause)
        and is_inside(call.span, pause.span)
        and not pause.yields
        and _is_foreign(program, section.function, call)
    ]
    waits = (pair for pair in found if not pair[0].method[:1].isupper())
    return next(waits, found[0] if found else None)


def _waits_outside(program: Program, helper: FunctionFacts) -> bool:
    """True for a step of the program that waits for something outside of it, takes no lock and changes nothing."""
    if Acquire in helper.holds or helper.attempts or not helper.holds.isdisjoint(CHANGES):
        return False
    waits = pairwise(helper.events)
    return any(
        isinstance(call, Call)
        and isinstance(pause, Pause)
        and not pause.yields
        and is_inside(call.span, pause.span)
        and _is_foreign(program, helper, call, is_near=False)
        for call, pause in waits
    )


def _is_foreign(program: Program, function: FunctionFacts, call: Call, *, is_near: bool = True) -> bool:
    if not call.method or call.method in _OF_THE_PROGRAM:
        return False
    target = program.calls.target(function, call)
    if target is not None:
        return is_near and target.is_async and _waits_outside(program, target)
    if call.method == "sleep":
        return not call.arguments or call.arguments[0].name not in _NO_TIME
    return call.method != "get" or bool(call.arguments)


def _rival(program: Program, section: Section, call: Call) -> Section:
    """A section that has something else to do, where the wait is for the other side to speak."""
    function = section.function
    before = [event for event in section.inside if isinstance(event, Call)]
    if not _listens(call) or before[0] is not call or function.owner is None:
        return section
    for method in function.owner.methods.values():
        for other in _sections(program, method) if method is not function else ():
            if other.lock & section.lock and not any(isinstance(e, Call) and _listens(e) for e in other.inside):
                return other
    return section


def _listens(call: Call) -> bool:
    return call.method in _LISTENING and "file" not in str(call.callee).lower()
