"""`queue.Queue`, `LifoQueue` and `PriorityQueue`: one step for each call.

The originals do the work once they can do it without waiting. What they would wait for, their lock and three
conditions, needs no steps of its own: who comes first to an item takes it, whoever was woken.

Of a first-in-first-out queue each item has a place of its own. Putting an item in concerns those who put others in
and whoever takes that very one out; what is put in later is nobody's business who takes an earlier one. Places are
used again where there is only so much room, so who has to wait for room waits for whoever empties his place.

How much is unfinished is a count of its own. That one more is done changes nothing for those who put more in, nor
for others who are done, as long as everybody has taken out what he says is done; it does for who waits for all.
"""

import queue
from collections.abc import Callable, Hashable
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.lock import ControlledLock
from racehound.primitives.replacement import Replacement

AnyQueue = Any
Parts = dict[Hashable, bool]
"""What is used, and whether it is changed."""

_TAKEN: Final = "_racehound_taken"
_OWED: Final = "_racehound_owed"
"""How much each task has taken out and not said to be done."""
_OVERDONE: Final = "_racehound_overdone"
"""Whether a task has said of more than it has taken out that it is done."""
_HEAD: Final = "head"
_TAIL: Final = "tail"
_PUT: Final = "put"

_put = queue.Queue.put
_get = queue.Queue.get
_task_done = queue.Queue.task_done
_join = queue.Queue.join

_IN_ORDER: Final = (queue.Queue._put, queue.Queue._get, queue.Queue._qsize)  # noqa: SLF001 - what derived classes exchange
_LAST_FIRST: Final = (queue.LifoQueue._put, queue.LifoQueue._get, queue.LifoQueue._qsize)  # noqa: SLF001
_LEAST_FIRST: Final = (queue.PriorityQueue._put, queue.PriorityQueue._get, queue.PriorityQueue._qsize)  # noqa: SLF001
_PLAIN: Final = (int, float, str, bytes, bool, type(None))


def _inner(subject: AnyQueue) -> tuple[object, ...]:
    kind = type(subject)
    return kind._put, kind._get, kind._qsize  # noqa: SLF001 - as above


def _is_plain(item: object) -> bool:
    """Whether comparing it runs no code of the program."""
    return type(item) in _PLAIN or (type(item) is tuple and all(map(_is_plain, item)))


def _in_one_step(subject: AnyQueue, *items: object) -> Execution | None:
    """The execution in charge, unless the program does some of the work itself, or waits in ways of its own."""
    execution = CONTROL.in_charge()
    if execution is None or execution.aborting or not isinstance(subject.mutex, ControlledLock):
        return None
    if any(condition._waiters for condition in _conditions(subject)):  # noqa: SLF001 - its own name for them
        return None
    if _inner(subject) in (_IN_ORDER, _LAST_FIRST):
        return execution
    compares = _inner(subject) == _LEAST_FIRST and all(map(_is_plain, (*items, *subject.queue)))
    return execution if compares else None


def _conditions(subject: AnyQueue) -> tuple[Any, ...]:
    return subject.not_empty, subject.not_full, subject.all_tasks_done


def _place(subject: AnyQueue, number: int) -> Hashable:
    return number % subject.maxsize if subject.maxsize > 0 else number


def _parts_of_putting(subject: AnyQueue) -> Parts:
    if _inner(subject) != _IN_ORDER:
        return {_HEAD: True}
    taken: int = vars(subject).get(_TAKEN, 0)
    return {_TAIL: True, _place(subject, taken + len(subject.queue)): True}


def _parts_of_taking(subject: AnyQueue) -> Parts:
    if _inner(subject) != _IN_ORDER:
        return {_HEAD: True}
    return {_HEAD: True, _place(subject, vars(subject).get(_TAKEN, 0)): True}


def _effects(execution: Execution, subject: AnyQueue, parts: Parts, unfinished: Parts) -> tuple[Effect, ...]:
    """Of the lock, which a program may take by itself, and of the count of what is unfinished."""
    lock, count = execution.number(subject.mutex), execution.number(subject.all_tasks_done)
    used = tuple(Effect(lock, part, writes) for part, writes in parts.items())
    return used + tuple(Effect(count, part, writes) for part, writes in unfinished.items())


def _publish(  # noqa: PLR0913 - the last three have a default that most take
    execution: Execution,
    subject: AnyQueue,
    kind: Kind,
    effects: Callable[[], tuple[Effect, ...]],
    ready: Callable[[], bool] | None = None,
    *,
    deadline: float | None = None,
    many_ways: bool = False,
) -> None:
    is_free: Callable[[], bool] = subject.mutex.is_free
    operation = Operation(kind, effects(), CONTROL.site, label="queue", refresh=effects, deadline=deadline)
    operation.many_ways = many_ways
    if ready is not None:
        operation.ready = lambda: is_free() and ready()
    elif not is_free():
        operation.ready = is_free
    execution.step(operation)
    while not is_free():  # taken since by somebody who does more than one thing under it
        execution.step(Operation(Kind.TAKE, effects(), CONTROL.site, label="queue", ready=is_free))


def put(self: Any, item: object, block: bool = True, timeout: float | None = None) -> None:  # noqa: FBT002 - the original's signature
    execution = _in_one_step(self, item)
    if execution is None or (self.maxsize > 0 and block and timeout is not None and timeout < 0):
        _put(self, item, block, timeout)
        return
    waits = block and self.maxsize > 0
    _publish(
        execution,
        self,
        Kind.WRITE,
        lambda: _effects(execution, self, _parts_of_putting(self), {_PUT: True}),
        (lambda: _has_room(self)) if waits else None,
        deadline=execution.after(timeout) if waits and timeout is not None else None,
    )
    with CONTROL.aside():
        _put(self, item, block=False)


def _has_room(subject: AnyQueue) -> bool:
    return len(subject.queue) < subject.maxsize or getattr(subject, "is_shutdown", False)


def get(self: Any, block: bool = True, timeout: float | None = None) -> object:  # noqa: FBT002 - the original's signature
    execution = _in_one_step(self)
    if execution is None or (block and timeout is not None and timeout < 0):
        return _get(self, block, timeout)
    _publish(
        execution,
        self,
        Kind.TAKE,
        lambda: _effects(execution, self, _parts_of_taking(self), {}),
        (lambda: _has_item(self)) if block else None,
        deadline=execution.after(timeout) if block and timeout is not None else None,
    )
    with CONTROL.aside():
        item = _get(self, block=False)
    names = vars(self)
    names[_TAKEN] = names.get(_TAKEN, 0) + 1
    owed = names.setdefault(_OWED, {})
    owed[execution.running] = owed.get(execution.running, 0) + 1
    return item


def _has_item(subject: AnyQueue) -> bool:
    return bool(subject.queue) or getattr(subject, "is_shutdown", False)


def task_done(self: Any) -> None:
    execution = _in_one_step(self)
    if execution is None:
        _task_done(self)
        return
    owed: dict[Hashable, int] = vars(self).setdefault(_OWED, {})
    task, own = execution.running, owed.get(execution.running, 0) > 0
    owed[task] = owed.get(task, 0) - 1

    def effects() -> tuple[Effect, ...]:
        is_regular = own and not vars(self).get(_OVERDONE)
        done: Hashable = ("done", task) if is_regular else WHOLE
        return _effects(execution, self, {done: True}, {done: True})

    _publish(execution, self, Kind.NOTIFY, effects)
    vars(self)[_OVERDONE] = vars(self).get(_OVERDONE, False) or not own
    with CONTROL.aside():
        _task_done(self)


def join(self: Any) -> None:
    execution = _in_one_step(self)
    if execution is None:
        _join(self)
        return
    effects = _effects(execution, self, {}, {WHOLE: False})
    _publish(execution, self, Kind.WAIT, lambda: effects, lambda: self.unfinished_tasks == 0, many_ways=True)


def _looking(ask: Any) -> Any:
    """A question about how much there is."""

    def answer(self: Any) -> object:
        execution = _in_one_step(self)
        if execution is None:
            return ask(self)
        effects = _effects(execution, self, {_HEAD: False, _TAIL: False}, {})
        _publish(execution, self, Kind.CHECK, lambda: effects)
        with CONTROL.aside():
            return ask(self)

    return answer


def _closing(close: Any) -> Any:
    def shutdown(self: Any, immediate: bool = False) -> None:  # noqa: FBT002 - the original's signature
        execution = _in_one_step(self)
        if execution is None:
            close(self, immediate)
            return
        effects = _effects(execution, self, {WHOLE: True}, {WHOLE: True})
        _publish(execution, self, Kind.CALL, lambda: effects)
        with CONTROL.aside():
            close(self, immediate)

    return shutdown


_close = getattr(queue.Queue, "shutdown", None)  # since Python 3.13
REPLACEMENTS: Final = (
    Replacement(queue.Queue, "put", put),
    Replacement(queue.Queue, "get", get),
    Replacement(queue.Queue, "task_done", task_done),
    Replacement(queue.Queue, "join", join),
    *(Replacement(queue.Queue, name, _looking(getattr(queue.Queue, name))) for name in ("qsize", "empty", "full")),
    *((Replacement(queue.Queue, "shutdown", _closing(_close)),) if _close is not None else ()),
)
