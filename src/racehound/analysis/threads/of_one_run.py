"""Objects that each run of a coroutine makes for itself, or is given, though a thread works on them."""

from collections.abc import Iterator

from racehound.analysis.meaning.calls import MAPS
from racehound.analysis.meaning.kinds import Kinds
from racehound.analysis.threads.at_once import is_awaited_at_once
from racehound.source.events import SELF, Bind, Call, Pause, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts


def is_of_one_run(kinds: Kinds, function: FunctionFacts, at: int, receiver: Place) -> bool:
    """True for `job = Job()`, `await to_thread(job.run)`: another run has another job, and this one waits."""
    started, name = function.events[at], receiver.root
    if isinstance(started, Call) and is_each_their_own(kinds, function, started, receiver):
        return True
    if _is_given(function, name):
        return _is_awaited(function, at)
    made = function.bindings.get(name, ())
    if not isinstance(started, Call) or name not in function.bound or not made or not _is_awaited(function, at):
        return False
    if not all(_is_new(kinds, function, value) for value in made):
        return False
    return not any(value.place == Place(name) for value in _told(function, started))


def is_step_of_coroutine(function: FunctionFacts, at: int, work: Value, target: FunctionFacts | None) -> bool:
    """True for `await to_thread(self._read)`, and for a function that the coroutine has inside of it."""
    own = work.place is not None and work.place.root == SELF and len(work.place.attributes) == 1
    inside = target is not None and target.parent is function
    return function.is_async and (own or inside) and is_awaited_at_once(function, at)


def is_each_their_own(kinds: Kinds, function: FunctionFacts, started: Call, method: Place) -> bool:
    """True for `pool.map(Job.run, jobs)`: the object that the method runs on is the item."""
    if started.method not in MAPS or not method.attributes:
        return False
    return isinstance(kinds.callee(function, Place(method.root, method.attributes[:-1])), ClassFacts)


def _is_given(function: FunctionFacts, name: str) -> bool:
    """True for a parameter: that two runs are given the same object is nowhere said, unless something gives it."""
    return name in function.parameters[function.is_method :] and not function.decorators


def _is_awaited(function: FunctionFacts, at: int) -> bool:
    return any(isinstance(event, Pause) and not event.yields for event in function.events[at + 1 : at + 2])


def _is_new(kinds: Kinds, function: FunctionFacts, value: Value) -> bool:
    if value.shape is not Shape.CALL or value.place is None:
        return False
    return isinstance(kinds.callee(function, value.place), ClassFacts)


def _told(function: FunctionFacts, started: Call) -> Iterator[Value]:
    """What the function stores, gives another name or hands over, but for the start itself."""
    for event in function.events:
        if isinstance(event, Touch | Bind):
            yield from event.values
        elif isinstance(event, Call) and event is not started:
            yield from event.arguments
            yield from (value for _, value in event.keywords)
