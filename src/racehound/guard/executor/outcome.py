from __future__ import annotations

from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar, cast

T_co = TypeVar("T_co", covariant=True)


class Status(StrEnum):
    """How a strategy ended; the text form is stable."""

    OK = "ok"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    REJECTED = "rejected"


class Outcome(NamedTuple, Generic[T_co]):
    """What became of one strategy in one round.

    `error` is set for every status but `ok`: what the strategy raised, the breaker's `CircuitOpen`, or a
    `StrategyUnfinished` that says why there is no result. `duration` counts the seconds from the moment the
    strategy started; it is 0.0 for a strategy that never did.
    """

    status: Status
    value: T_co | None = None
    error: BaseException | None = None
    duration: float = 0.0

    @property
    def ok(self) -> bool:
        return self.status is Status.OK

    def unwrap(self) -> T_co:
        """The value of a strategy that went well; otherwise its error is raised."""
        if self.error is not None:
            raise self.error
        return cast("T_co", self.value)  # `None` is a value like any other once the status is ok
