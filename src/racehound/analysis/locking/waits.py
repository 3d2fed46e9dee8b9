"""Waiting for somebody else: what a wait waits for, and whether that somebody needs a lock that is held."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.awaits import LIFECYCLE
from racehound.analysis.locking.locksets import is_private
from racehound.analysis.locking.takings import Takings
from racehound.analysis.meaning.kinds import THREAD_CLASSES
from racehound.analysis.meaning.listed import Given
from racehound.analysis.program import Program
from racehound.source.closures import scope_of
from racehound.source.events import SELF, Call, Event, Flow, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

SIGNALS = {
    ("threading.Event", "wait"): ("set",),
    ("queue.Queue", "get"): ("put", "put_nowait"),
    ("queue.LifoQueue", "get"): ("put", "put_nowait"),
    ("queue.PriorityQueue", "get"): ("put", "put_nowait"),
    ("queue.SimpleQueue", "get"): ("put", "put_nowait"),
    ("queue.Queue", "join"): ("task_done",),
}
"""Waits, and the calls that end them."""

_POOL = re.compile(r"(executor|pool)$", re.IGNORECASE)
_LOOKS = frozenset({"empty", "qsize", "is_set"})


class Wait(NamedTuple):
    function: FunctionFacts
    at: int
    lock: int
    """Held during the wait, and needed by the other side."""
    other: FunctionFacts
    other_at: int
    what: str
    is_guess: bool = False
    """Others decide what runs there: it may come to the lock, and nothing keeps it from that."""


class Waits:
    def __init__(self, program: Program, takings: Takings) -> None:
        self._program = program
        self._takings = takings
        self._given = Given(program.kinds, program.hierarchy)

    def of(self, function: FunctionFacts) -> Iterator[Wait]:
        held = self._program.locksets.within(function)
        if not any(held):
            return
        for index, event in enumerate(function.events):
            if isinstance(event, Call) and held[index] and _waits_for_jobs(event):
                yield from self._for_jobs(function, index, event, held[index])
            elif isinstance(event, Call) and held[index] and event.receiver is not None and not _has_limit(event):
                if event.method in {"join", "result"} or self._joins(function, event):
                    yield from self._for_work(function, index, event, held[index])
                if event.method in {"wait", "get", "join"}:
                    yield from self._for_signal(function, index, event, held[index])

    def _for_work(self, function: FunctionFacts, index: int, call: Call, held: int) -> Iterator[Wait]:
        """A thread or a future whose own work takes the lock."""
        for where, value in self._given.to(function, call.receiver):
            work = _work(value)
            target = self._program.calls.function(where, work) if work is not None else self._run(where, value)
            given = any(item.place == Place(SELF) for item in value.arguments)
            for taking in self._takings.all(target) if target is not None else ():
                same = given if work is None else taking.on_self
                if taking.lock & held and (same or taking.lock in self._takings.fixed):
                    name = str(call.receiver.place) if call.receiver and call.receiver.place else call.method
                    yield Wait(function, index, taking.lock, taking.function, taking.at, name)

    def _for_jobs(self, function: FunctionFacts, index: int, call: Call, held: int) -> Iterator[Wait]:
        """A pool that runs what others gave to it: a job may call any public method of the object."""
        place = call.receiver.place if call.receiver is not None else None
        if place is None or function.owner is None:
            return
        own = self._own_jobs(function.owner, place)
        if own:
            yield from self._for_own_jobs(function, index, own, held)
            return
        for other in self._program.hierarchy.effective(function.owner):
            for taking in self._takings.direct(other) if other is not function else ():
                if taking.lock & held and taking.on_self and not _is_none_of_its_jobs(other):
                    yield Wait(function, index, taking.lock, other, taking.at, str(place), is_guess=True)
                    return

    def _for_own_jobs(
        self, function: FunctionFacts, index: int, jobs: list[FunctionFacts], held: int
    ) -> Iterator[Wait]:
        """Methods of the same object, which take the lock before they end."""
        call = function.events[index]
        what = str(call.receiver.place) if isinstance(call, Call) and call.receiver else "the pool"
        for job in jobs:
            for taking in self._takings.all(job):
                if taking.lock & held and (taking.on_self or taking.lock in self._takings.fixed):
                    yield Wait(function, index, taking.lock, taking.function, taking.at, what)
                    return

    def _own_jobs(self, owner: ClassFacts, place: Place) -> list[FunctionFacts]:
        """Functions of the class itself that it gives to the pool."""
        given = [
            (where, call.arguments[0])
            for where, _, call in self._calls(owner)
            if call.method in {"submit", "map"} and _is_on(call, place) and call.arguments
        ]
        found = (self._program.calls.function(where, job) for where, job in given)
        return [job for job in found if job is not None]

    def _run(self, function: FunctionFacts, value: Value) -> FunctionFacts | None:
        """What an object of a class derived from Thread runs; it has what its constructor was given."""
        item = (
            self._program.kinds.callee(function, value.place)
            if value.shape is Shape.CALL and value.place
            else None
        )
        if not isinstance(item, ClassFacts):
            return None
        is_thread = bool(THREAD_CLASSES & self._program.hierarchy.outside_bases(item))
        return self._program.hierarchy.method(item, "run") if is_thread else None

    def _joins(self, function: FunctionFacts, call: Call) -> bool:
        """True for a method of a class derived from Thread that waits for its own end."""
        target = self._program.calls.target(function, call)
        if target is None or target.owner is None:
            return False
        is_thread = bool(THREAD_CLASSES & self._program.hierarchy.outside_bases(target.owner))
        return is_thread and any(
            isinstance(event, Call) and event.callee == Place(SELF, ("join",)) and not _has_limit(event)
            for event in target.events
        )

    def _for_signal(self, function: FunctionFacts, index: int, call: Call, held: int) -> Iterator[Wait]:
        """An event or a queue that everybody else signals under the very lock that is held."""
        place = call.receiver.place if call.receiver is not None else None
        owner = _home(function, place)
        if place is None or owner is None:
            return
        if any(
            isinstance(event, Call) and event.method in _LOOKS and _is_on(event, place)
            for event in function.events
        ):
            return  # it waits only if there is something to get
        names = self._signals(owner, place, call.method)
        found = [item for item in self._calls(owner) if item[2].method in names and _is_on(item[2], place)]
        elsewhere = [item for item in found if item[0] is not function]
        common = held
        for where, at, _ in elsewhere:
            common &= self._program.locksets.at(where, at) | self._taken_before(where, at)
        if elsewhere and common in self._takings.kinds:
            where, at, _ = elsewhere[0]
            yield Wait(function, index, common, where, at, str(place))

    def _taken_before(self, function: FunctionFacts, at: int) -> int:
        """Locks that the function has to have had before it comes there."""
        found = 0
        for taking in self._takings.direct(function):
            if taking.at < at and taking.on_self and _lies_on_the_way(function.events, taking.at, at):
                found |= taking.lock
        return found

    def _signals(self, owner: ClassFacts | ModuleFacts, place: Place, method: str) -> tuple[str, ...]:
        if isinstance(owner, ClassFacts):
            kinds = self._program.kinds.field(owner, place.attributes[0])
        else:
            kinds = self._program.kinds.place(owner.functions[0], place)
        return next((SIGNALS[str(kind), method] for kind in kinds if (kind, method) in SIGNALS), ())

    def _calls(self, owner: ClassFacts | ModuleFacts) -> Iterator[tuple[FunctionFacts, int, Call]]:
        if isinstance(owner, ModuleFacts):
            functions: Iterable[FunctionFacts] = owner.functions
        else:
            functions = self._program.hierarchy.effective(owner)
        for function in functions:
            for index, event in enumerate(function.events):
                if isinstance(event, Call):
                    yield function, index, event


def _home(function: FunctionFacts, place: Place | None) -> ClassFacts | ModuleFacts | None:
    """The class whose field it is, or the module whose variable."""
    if place is None:
        return None
    if place.root == SELF:
        return function.owner if len(place.attributes) == 1 else None
    is_variable = not place.attributes and place.root in function.module.variables
    return function.module if is_variable and scope_of(function, place.root) is None else None


def _lies_on_the_way(events: list[Event], first: int, last: int) -> bool:
    """True if whoever comes to the later event has passed the earlier one: no branch ends between the two."""
    depth = 0
    for event in events[first:last]:
        depth += (event is Flow.FORK) - (event is Flow.JOIN)
        if depth < 0 or (depth == 0 and event is Flow.ALTERNATIVE):
            return False
    return True


def _is_none_of_its_jobs(function: FunctionFacts) -> bool:
    return is_private(function) or LIFECYCLE.fullmatch(function.name) is not None


def _waits_for_jobs(call: Call) -> bool:
    """`pool.shutdown()`, but for `wait=False`."""
    place = call.receiver.place if call.receiver is not None else None
    if any(word not in {"wait", "cancel_futures"} for word, _ in call.keywords):
        return False  # something else that is called so
    if call.method != "shutdown" or place is None or not _POOL.search((place.attributes or (place.root,))[-1]):
        return False
    given = (*call.arguments[:1], *(value for word, value in call.keywords if word == "wait"))
    return not any(value.shape is Shape.CONSTANT and value.name == "False" for value in given)


def _has_limit(call: Call) -> bool:
    """True for a wait that ends by itself."""
    return bool(call.arguments) or any(word in {"timeout", "block"} for word, _ in call.keywords)


def _is_on(call: Call, place: Place) -> bool:
    return call.receiver is not None and call.receiver.place == place


def _work(value: Value) -> Value | None:
    """What `Thread(target=f)` or `pool.submit(f)` runs."""
    if value.shape is not Shape.CALL:
        return None
    if value.name == "Thread":
        return next((item for word, item in value.keywords if word == "target"), None)
    return value.arguments[0] if value.name == "submit" and value.arguments else None
