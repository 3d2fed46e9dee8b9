"""Which strategy the running code belongs to, and whether anybody still waits for it."""

from __future__ import annotations

import threading
from contextvars import ContextVar
from typing import TYPE_CHECKING

from racehound.guard.executor.errors import StrategyCancelled

if TYPE_CHECKING:
    from racehound.guard.executor.attempt import Attempt

CURRENT: ContextVar[Attempt | None] = ContextVar("racehound_strategy", default=None)


class Cancellation:
    """A strategy's view of whether its result is still wanted.

    A thread cannot be stopped from outside; a strategy that asks now and then can stop by itself.
    """

    def __init__(self, attempt: Attempt | None) -> None:
        self._attempt = attempt

    @property
    def requested(self) -> bool:
        return self._attempt is not None and self._attempt.outcome is not None

    def check(self) -> None:
        """Raise `StrategyCancelled` once the result is no longer wanted."""
        if self._attempt is not None and self.requested:
            raise StrategyCancelled(self._attempt.name, "its result is no longer wanted")

    def wait(self, seconds: float) -> bool:
        """Sleep, but no longer than the result is wanted; whether it no longer is."""
        given_up = threading.Event() if self._attempt is None else self._attempt.given_up()
        return given_up.wait(seconds)


def cancellation() -> Cancellation:
    """The cancellation of the strategy that calls; outside of any strategy one that never comes."""
    return Cancellation(CURRENT.get())
