"""One state period of a circuit, as a frozen value.

A circuit is at every moment described by one `Period`. Whoever keeps the current one (an attribute,
a row, a hash) replaces it as a whole, so a reader always sees a state that really was. `version`
grows with every new period and is the fence: the result of a call belongs to the period that
admitted it, and a result that carries another version is stale.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from racehound.guard.breaker.window import NOTHING_KEPT, Outcomes


class State(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"
    FORCED_OPEN = "forced-open"
    DISABLED = "disabled"
    METRICS_ONLY = "metrics-only"


ASK_FIRST = frozenset({State.OPEN, State.HALF_OPEN, State.FORCED_OPEN})


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to probe, until the deadline: a probe that hangs loses it to the next caller."""

    token: int
    deadline: float


@dataclass(frozen=True, slots=True)
class Ticket:
    """What an admitted call shows when it ends. `token` names the lease of a probe."""

    version: int
    token: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    state: State = State.CLOSED
    version: int = 0
    failures: int = 0  # since the last success that counted
    successes: int = 0  # probes that succeeded in this half-open period
    attempt: int = 0  # openings in a row without closing
    until: float = 0.0  # an open circuit admits no probe before this time
    probes: tuple[Lease, ...] = ()
    leased: int = 0  # leases given so far in this half-open period: the next token
    last_failure: str | None = None
    # The next two are of this process only: the window, and whether it holds anything but fine calls.
    outcomes: Outcomes = field(default=NOTHING_KEPT, compare=False, repr=False)
    troubled: bool = field(default=False, compare=False, repr=False)
    # The two flags the call path looks at. They are stored, because deriving them costs as much as the
    # whole rest of a guarded call.
    gated: bool = field(init=False, repr=False)  # a call has to ask for admission
    dirty: bool = field(init=False, repr=False, compare=False)  # a success has something to reset

    # An ordinary call is admitted by the period itself, which then serves as its ticket.
    token: ClassVar[None] = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "gated", self.state in ASK_FIRST)
        object.__setattr__(self, "dirty", self.failures > 0 or self.troubled)

    def free_at(self, now: float, limit: int) -> float:
        """When the next probe may be admitted: a time not after `now` means at once."""
        if self.state is State.OPEN:
            return self.until
        live = sorted(lease.deadline for lease in self.probes if lease.deadline > now)
        return now if len(live) < limit else live[-limit]


Admission = Period | Ticket
