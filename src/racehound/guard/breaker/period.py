"""One state period of a circuit, as a frozen value.

A circuit is at every moment described by one `Period`. Whoever keeps the current one (an attribute,
a row, a hash) replaces it as a whole, so a reader always sees a state that really was. `version`
grows with every new period and is the fence: the result of a call belongs to the period that
admitted it, and a result that carries another version is stale.
"""

from enum import StrEnum
from typing import ClassVar, NamedTuple

from racehound.guard.breaker.window import NOTHING_KEPT, Outcomes


class State(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"
    FORCED_OPEN = "forced-open"
    DISABLED = "disabled"
    METRICS_ONLY = "metrics-only"


ASK_FIRST = frozenset({State.OPEN, State.HALF_OPEN, State.FORCED_OPEN})


class Lease(NamedTuple):
    """The right to probe, until the deadline: a probe that hangs loses it to the next caller."""

    token: int
    deadline: float


class Ticket(NamedTuple):
    """What an admitted call shows when it ends. `token` names the lease of a probe."""

    version: int
    token: int | None = None


class Period:
    """One state period. Never changed after it is made: `but` gives a changed copy.

    Written out, and no dataclass: a copy costs a third, and the prover can follow every step of it.
    """

    __slots__ = (
        "attempt",
        "dirty",
        "failures",
        "gated",
        "last_failure",
        "leased",
        "outcomes",
        "probes",
        "state",
        "successes",
        "troubled",
        "until",
        "version",
    )

    # An ordinary call is admitted by the period itself, which then serves as its ticket.
    token: ClassVar[None] = None

    def __init__(  # noqa: PLR0913 - the fields of a value, all by keyword
        self,
        *,
        state: State = State.CLOSED,
        version: int = 0,
        failures: int = 0,
        successes: int = 0,
        attempt: int = 0,
        until: float = 0.0,
        probes: tuple[Lease, ...] = (),
        leased: int = 0,
        last_failure: str | None = None,
        outcomes: Outcomes = NOTHING_KEPT,
        troubled: bool = False,
    ) -> None:
        self.state = state
        self.version = version
        self.failures = failures  # since the last success that counted
        self.successes = successes  # probes that succeeded in this half-open period
        self.attempt = attempt  # openings in a row without closing
        self.until = until  # an open circuit admits no probe before this time
        self.probes = probes
        self.leased = leased  # leases given so far in this half-open period: the next token
        self.last_failure = last_failure
        # Of this process only: the window, and whether it holds anything but fine calls.
        self.outcomes = outcomes
        self.troubled = troubled
        # What the call path looks at, stored because deriving it costs as much as the rest of a guarded call:
        self.gated = state in ASK_FIRST  # a call has to ask for admission
        self.dirty = failures > 0 or troubled  # a success has something to reset

    def but(  # noqa: PLR0913 - as above
        self,
        *,
        state: State | None = None,
        version: int | None = None,
        failures: int | None = None,
        successes: int | None = None,
        until: float | None = None,
        probes: tuple[Lease, ...] | None = None,
        leased: int | None = None,
        last_failure: str | None = None,
        outcomes: Outcomes | None = None,
        troubled: bool | None = None,
    ) -> "Period":
        return Period(
            state=self.state if state is None else state,
            version=self.version if version is None else version,
            failures=self.failures if failures is None else failures,
            successes=self.successes if successes is None else successes,
            attempt=self.attempt,
            until=self.until if until is None else until,
            probes=self.probes if probes is None else probes,
            leased=self.leased if leased is None else leased,
            last_failure=self.last_failure if last_failure is None else last_failure,
            outcomes=self.outcomes if outcomes is None else outcomes,
            troubled=self.troubled if troubled is None else troubled,
        )

    @property
    def shared(self) -> tuple[object, ...]:
        """What processes have in common: the fields that a store keeps, in the order of its columns."""
        return (
            self.state.value,
            self.version,
            self.failures,
            self.successes,
            self.attempt,
            self.until,
            self.probes,
            self.leased,
            self.last_failure,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Period) and self.shared == other.shared

    def __hash__(self) -> int:
        return hash(self.shared)

    def __repr__(self) -> str:
        return f"Period{self.shared}"

    def free_at(self, now: float, limit: int) -> float:
        """When the next probe may be admitted: a time not after `now` means at once."""
        if self.state is State.OPEN:
            return self.until
        live = sorted(lease.deadline for lease in self.probes if lease.deadline > now)
        return now if len(live) < limit else live[-limit]


Admission = Period | Ticket
