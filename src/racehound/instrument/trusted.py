"""Functions of the standard library that wait or format on behalf of the program.

`threading`, `queue` and `concurrent.futures` are built on locks, and asyncio on an event loop. While those are
mirrors, everything their functions do happens under an operation that is published, so their code needs no
publishing of its own.
"""

import queue
import threading
from concurrent.futures import Future
from types import FunctionType

from racehound.engine.execution import Execution
from racehound.engine.mirror import Mirror
from racehound.errors import HarnessError
from racehound.instrument.keepers import KEEPING_MODULES, ClosingCall, KeeperCall, LoggingCall, is_keeper
from racehound.instrument.kinds import is_a
from racehound.instrument.known import Function, Reading
from racehound.instrument.parts import bound_to
from racehound.instrument.published import PublishedCall
from racehound.instrument.voices import TEXT


def plan_trusted(site: int, function: Function, code: FunctionType) -> object:
    """The function itself, once it is sure that it waits under control."""
    owner = bound_to(function)
    if code.__module__ == "logging":
        return LoggingCall(site, function, Reading(TEXT, deep=True))
    if is_keeper(owner) or (owner is None and code.__module__ in KEEPING_MODULES):
        return (ClosingCall if code.__name__ == "callback" else KeeperCall)(site, function)
    return function if lock_within(owner) is None else WaitingCall(site, function)


_LOCK_NAMES = {
    threading.Condition: "_lock",
    threading.Barrier: "_cond",
    queue.Queue: "mutex",
    Future: "_condition",
}


def lock_within(subject: object) -> object:
    """The lock on which a waiting object of the standard library is built, if it waits on one."""
    for kind, name in _LOCK_NAMES.items():
        if is_a(subject, kind):
            lock = vars(subject).get(name)  # not there yet while the object is being made
            return lock_within(lock) if is_a(lock, threading.Condition) else lock
    return None


def uses_unlocked(subject: object) -> bool:
    """Whether a waiting object is used by a task that does not hold its lock."""
    lock = lock_within(subject)
    return lock is not None and not (isinstance(lock, Mirror) and lock.is_mine())


class WaitingCall(PublishedCall):
    """A method of a Condition, Barrier or Queue."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        del args, kwargs
        controlled_lock(execution, self.site, bound_to(self.function))


def controlled_lock(execution: Execution, site: int, subject: object) -> object:
    """The lock within a waiting object, told where the program uses it; ends the execution if it is a real one."""
    lock = lock_within(subject)
    if lock is None:
        return None
    if not isinstance(lock, Mirror):
        name = type(subject).__qualname__
        reason = f"a {name} that was made before the observation began would wait for real"
        execution.give_up(HarnessError(reason, hint=f"make the {name} in the setup"))
    lock.site = site
    return lock
