"""What a shared store has to do, whatever it is made of."""

from typing import NamedTuple, Protocol, TypeVar

from racehound.guard.breaker.keeper import Transition
from racehound.guard.breaker.period import Lease, Period

T = TypeVar("T")


class Reading(NamedTuple):
    """A period as the store holds it, in the store's own time, and the time it was read."""

    period: Period
    now: float

    def in_local_time(self, local_now: float) -> Period:
        offset = local_now - self.now
        probes = tuple(Lease(lease.token, lease.deadline + offset) for lease in self.period.probes)
        return self.period.but(until=self.period.until + offset, probes=probes)


class Failure(NamedTuple):
    """A failure in closed: opens the circuit for `open_for` seconds once `limit` is reached.

    `version` is the fence; None lets the failure count in whatever period runs.
    """

    version: int | None
    limit: int
    open_for: float
    text: str | None


class BreakerStore(Protocol):
    """Keeps the periods of many names for many processes. Every method raises only `StoreUnavailable`.

    Attributes:
        refresh_seconds: age at which a process reads a circuit again before it admits a call.
        retry_seconds: pause before a store that was down is asked again.
    """

    refresh_seconds: float
    retry_seconds: float

    def read(self, name: str) -> Reading:
        """The period of that name. A name without one gets its first, closed, for all to see."""

    def change(self, name: str, transition: Transition[T]) -> tuple[Reading, T]:
        """Apply a transition atomically. It may be applied more than once, to newer periods."""

    def fail(self, name: str, failure: Failure) -> Reading | None:
        """Count a failure by one atomic statement; None where the fence kept it out."""

    def close(self) -> None: ...


def first_period(now: float) -> Period:
    """Versions start at the time in milliseconds: after a store lost its data they still grow."""
    return Period(version=int(now * 1000))
