"""Functions of the standard library that wait or format on behalf of the program.

`threading` and `queue` are built on locks. While those are mirrors, everything their functions do happens under
an operation that is published, so their code needs no publishing of its own.
"""

import queue
import threading
from types import FunctionType

from racehound.engine.execution import Execution
from racehound.engine.mirror import Mirror
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.errors import HarnessError
from racehound.instrument.kinds import is_a
from racehound.instrument.known import Function, Reading
from racehound.instrument.parts import bound_to
from racehound.instrument.published import PublishedCall, ReadingCall
from racehound.instrument.voices import TEXT


def plan_trusted(site: int, function: Function, code: FunctionType) -> object:
    """The function itself, once it is sure that it waits under control."""
    if code.__module__ == "logging":
        return ReadingCall(site, function, Reading(TEXT, deep=True))
    return function if lock_within(bound_to(function)) is None else WaitingCall(site, function)


def lock_within(subject: object) -> object:
    """The lock on which a waiting object of the standard library is built."""
    if is_a(subject, threading.Condition):
        return vars(subject)["_lock"]
    if is_a(subject, (threading.Event, threading.Semaphore, threading.Barrier)):
        return lock_within(vars(subject)["_cond"])
    return vars(subject)["mutex"] if is_a(subject, queue.Queue) else None


class WaitingCall(PublishedCall):
    """A method of an Event, Condition, Semaphore, Barrier or Queue."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        del args, kwargs
        lock = controlled_lock(execution, self.site, bound_to(self.function))
        if self.function.__name__ in ("is_set", "isSet"):  # the one that reads without the lock
            effect = Effect(execution.number(lock), WHOLE, writes=False)
            execution.step(Operation(Kind.CHECK, (effect,), site=self.site))


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
