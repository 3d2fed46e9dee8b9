"""`concurrent.futures.Future`, and those who wait for several of them: one step for each call.

The originals do the work, under an operation that says which part of the future it is about: whether it runs,
whether it is done, and who wants to be told. Whoever waits for a result can go on exactly when it is there, so the
lock and the condition of the original need no steps of their own. Sets of futures are ordered by address; here
they are numbered instead.
"""

# ruff: noqa: SLF001 - a future keeps what is used here in attributes of its own

import builtins
import concurrent.futures
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import Future, _base
from functools import partial
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation, always
from racehound.primitives.brief_lock import BriefLock
from racehound.primitives.replacement import Replacement
from racehound.primitives.serial import numbered

AnyFuture = Any
Effects = tuple[Effect, ...]
_ORDER: Final = "_racehound_order"
"""When it was done, compared with others."""
_SEEN_BY: Final = "_racehound_seen_by"
"""The tasks that know that it is done."""
_RUN: Final = "run"
_DONE: Final = "done"
_HEARERS: Final = "hearers"
_SETTLED: Final = (_base.CANCELLED_AND_NOTIFIED, _base.FINISHED)
_BEGUN: Final = (_base.RUNNING, _base.FINISHED)

_add_done_callback = Future.add_done_callback
_cancel = Future.cancel
_set_running = Future.set_running_or_notify_cancel
_wait = _base.wait
_as_completed = _base.as_completed


def address(subject: object) -> int:
    """In place of `id`: the number of the object in the execution."""
    execution = CONTROL.in_charge() or CONTROL.beside
    return builtins.id(subject) if execution is None else execution.number(subject)


def with_brief_lock(make: Any) -> Any:
    """A future whose lock takes one step; only who uses it himself ever sees that."""

    def init(self: Any) -> None:
        make(self)
        self._condition = threading.Condition(BriefLock())  # type: ignore[arg-type]  # a stand-in

    return init


# -- what one call is about ------------------------------------------------------------------------


def _in_one_step(future: AnyFuture) -> Execution | None:
    """The execution that is in charge, unless somebody waits for the future in the original's own way."""
    execution = CONTROL.in_charge()
    return None if execution is None or execution.aborting or future._waiters else execution


def _parts(execution: Execution, future: AnyFuture, parts: Mapping[Hashable, bool]) -> Effects:
    """Which parts are used, and whether they are changed; of the lock, which a program may use by itself."""
    lock = execution.number(future._condition._lock)
    return tuple(Effect(lock, part, writes) for part, writes in parts.items())


def _is_free(future: AnyFuture) -> bool:
    lock = future._condition._lock
    return not isinstance(lock, BriefLock) or lock.is_free() or lock.is_mine()


def _publish(execution: Execution, future: AnyFuture, kind: Kind, effects: Callable[[], Effects]) -> None:
    if _is_known_to_be_done(execution, future):
        return
    execution.step(Operation(kind, effects(), CONTROL.site, label="future", refresh=effects))
    while not _is_free(future):  # somebody uses the lock of the future himself, and not just for a moment
        lock, is_free = _parts(execution, future, {WHOLE: False}), partial(_is_free, future)
        execution.step(Operation(Kind.WAIT, lock, CONTROL.site, label="future", ready=is_free))
    _note_done(execution, future)


def _is_known_to_be_done(execution: Execution, future: AnyFuture) -> bool:
    """Whether the running task has seen that nothing will change any more; to look again tells it nothing."""
    return execution.running in vars(future).get(_SEEN_BY, ())


def _note_done(execution: Execution, future: AnyFuture) -> None:
    if _is_settled(future):
        future.__dict__.setdefault(_SEEN_BY, set()).add(execution.running)


def _looking(ask: Any, *parts: str) -> Any:
    """A question about the state of a future, which changes nothing."""

    def answer(self: Any) -> object:
        execution = _in_one_step(self)
        if execution is None:
            return ask(self)
        _publish(execution, self, Kind.CHECK, lambda: _parts(execution, self, dict.fromkeys(parts, False)))
        with CONTROL.aside():
            return ask(self)

    return answer


def _settling(settle: Any) -> Any:
    """A future gets its result; then those are told who wanted it, each step of theirs for itself."""

    def set_it(self: Any, value: object) -> None:
        execution = _in_one_step(self)
        if execution is None:
            settle(self, value)
            return
        _publish(execution, self, Kind.NOTIFY, lambda: _effects_of_settling(execution, self))
        _act(execution, self, lambda: settle(self, value))

    return set_it


def _effects_of_settling(execution: Execution, future: AnyFuture) -> Effects:
    """Whether it has begun changes only for one that nobody has said to run."""
    return _parts(execution, future, {_DONE: True, _HEARERS: True, _RUN: future._state != _base.RUNNING})


def _act(execution: Execution, future: AnyFuture, act: Callable[[], object]) -> Any:
    """Let the original do its work, and have the callbacks called under control if it would call them."""
    fired: list[object] = []
    hearers, future._done_callbacks = future._done_callbacks, [fired.append]
    try:
        with CONTROL.aside():
            answer = act()
    finally:
        future._done_callbacks = hearers
    if future._state in _SETTLED:
        future.__dict__.setdefault(_ORDER, next(execution.serials))
    if fired:
        future._invoke_callbacks()
    return answer


def set_running(self: Any) -> bool:
    execution = _in_one_step(self)
    if execution is None:
        return bool(_set_running(self))
    _publish(execution, self, Kind.CALL, lambda: _parts(execution, self, {_RUN: True}))
    return bool(_act(execution, self, lambda: _set_running(self)))


def cancel(self: Any) -> bool:
    execution = _in_one_step(self)
    if execution is None:
        return _cancel(self)
    _publish(execution, self, Kind.NOTIFY, lambda: _effects_of_cancelling(execution, self))
    return bool(_act(execution, self, lambda: _cancel(self)))


def _effects_of_cancelling(execution: Execution, future: AnyFuture) -> Effects:
    """What has begun is not cancelled any more, whether it is done by then or not."""
    return _parts(execution, future, {_RUN: False} if future._state in _BEGUN else {WHOLE: True})


def add_done_callback(self: Any, function: Any) -> None:
    function, execution = CONTROL.published(function), _in_one_step(self)
    if execution is None:
        _add_done_callback(self, function)
        return
    _publish(execution, self, Kind.CALL, lambda: _parts(execution, self, {_HEARERS: True}))
    fired: list[object] = []
    with CONTROL.aside():
        _add_done_callback(self, fired.append)
    if not fired:
        self._done_callbacks[-1] = function
        return
    try:
        function(self)
    except Exception:  # noqa: BLE001 - as the original does
        _base.LOGGER.exception("exception calling callback for %r", self)


# -- who waits -------------------------------------------------------------------------------------


def _is_done(future: AnyFuture) -> bool:
    return future._state in (*_SETTLED, _base.CANCELLED)


def _is_settled(future: AnyFuture) -> bool:
    return future._state in _SETTLED


def _waiting(ask: Any) -> Any:
    """`result` and `exception`: there once the future is done."""

    def answer(self: Any, timeout: float | None = None) -> object:
        execution = _in_one_step(self)
        if execution is None:
            return ask(self, timeout)
        if not _is_known_to_be_done(execution, self):
            _await(execution, [self], lambda: _is_done(self) and _is_free(self), timeout, parts=(_DONE,))
        with CONTROL.aside():
            return ask(self, 0)

    return answer


def wait(fs: Any, timeout: float | None = None, return_when: str = _base.ALL_COMPLETED) -> Any:
    futures, execution = set(fs), CONTROL.in_charge()
    if execution is None or any(_in_one_step(future) is None for future in futures):
        return _wait(futures, timeout, return_when)
    some = return_when != _base.ALL_COMPLETED
    _await(execution, futures, lambda: _is_enough(futures, return_when), timeout, some=some)
    with CONTROL.aside():
        return _wait(futures, 0, return_when)


def _await(
    execution: Execution,
    futures: Iterable[AnyFuture],
    is_enough: Callable[[], bool],
    timeout: float | None,
    *,
    some: bool = False,
    parts: tuple[str, ...] = (_RUN, _DONE),
) -> None:
    """Wait for all of the futures, or for some of them, whichever come first."""
    awaited = [future for future in futures if not _is_known_to_be_done(execution, future)]
    looks: dict[Hashable, bool] = dict.fromkeys(parts, False)
    effects = tuple(effect for future in awaited for effect in _parts(execution, future, looks))
    deadline = None if timeout is None else execution.after(max(timeout, 0))
    operation = Operation(Kind.WAIT, effects, CONTROL.site, label="future", ready=is_enough, deadline=deadline)
    operation.many_ways = some
    execution.step(operation)
    for future in awaited:
        _note_done(execution, future)


def _is_enough(futures: set[AnyFuture], return_when: str) -> bool:
    settled = [future for future in futures if _is_settled(future)]
    if len(settled) == len(futures):
        return True
    if return_when == _base.FIRST_EXCEPTION:
        return any(future._exception is not None for future in settled)
    return return_when == _base.FIRST_COMPLETED and bool(settled)


def as_completed(fs: Any, timeout: float | None = None) -> Iterator[AnyFuture]:
    """Those that are done already, then the others in the order in which they are done."""
    pending, execution = set(fs), CONTROL.in_charge()
    if execution is None or any(_in_one_step(future) is None for future in pending):
        yield from _as_completed(pending, timeout)
        return
    total, until = len(pending), None if timeout is None else execution.after(max(timeout, 0))
    _await(execution, pending, always, None, some=True)
    finished = [future for future in pending if _is_settled(future)]
    finished.reverse()
    while True:
        pending.difference_update(finished)
        yield from finished
        if not pending:
            return
        left = None if until is None else until - execution.now
        _await(execution, pending, lambda: any(map(_is_settled, pending)), left, some=True)
        finished = sorted(filter(_is_settled, pending), key=lambda future: vars(future)[_ORDER])
        if not finished:
            raise TimeoutError(f"{len(pending)} (of {total}) futures unfinished")


_made, _hashed = numbered(Future)
REPLACEMENTS: Final = (
    Replacement(_base, "id", address),
    *(_made._replace(stand_in=with_brief_lock(_made.stand_in)), _hashed),
    Replacement(Future, "done", _looking(Future.done, _DONE)),
    Replacement(Future, "cancelled", _looking(Future.cancelled, _DONE)),
    Replacement(Future, "running", _looking(Future.running, _RUN, _DONE)),
    Replacement(Future, "result", _waiting(Future.result)),
    Replacement(Future, "exception", _waiting(Future.exception)),
    Replacement(Future, "set_result", _settling(Future.set_result)),
    Replacement(Future, "set_exception", _settling(Future.set_exception)),
    Replacement(Future, "set_running_or_notify_cancel", set_running),
    Replacement(Future, "cancel", cancel),
    Replacement(Future, "add_done_callback", add_done_callback),
    *(Replacement(owner, "wait", wait) for owner in (_base, concurrent.futures)),
    *(Replacement(owner, "as_completed", as_completed) for owner in (_base, concurrent.futures)),
)
