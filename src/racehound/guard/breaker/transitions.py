"""The state machine: every change of a circuit, as a pure function from period to period.

The same functions decide in one process (under a lock) and in every shared store (in a transaction), so
there is one machine and several places to keep its state. A function that changes nothing returns the
very period it was given.

    closed ──failures──▶ open ──time──▶ half-open ──enough successes──▶ closed
                           ▲                │
                           └────failure─────┘
"""

from typing import NamedTuple

from racehound.guard.breaker.period import Admission, Lease, Period, State, Ticket
from racehound.guard.breaker.settings import Settings

COUNTING = frozenset({State.CLOSED, State.METRICS_ONLY})


class Moment(NamedTuple):
    """What a transition may know of the world: time, chance, the failure as text."""

    now: float = 0.0
    draw: float = 0.5
    failure: str | None = None

    def at(self, now: float) -> "Moment":
        return Moment(now, self.draw, self.failure)


def is_stale(period: Period, ticket: Admission) -> bool:
    """Whether the ticket belongs to an earlier period, or to a lease that passed to another probe."""
    if ticket.version != period.version:
        return True
    return ticket.token is not None and all(lease.token != ticket.token for lease in period.probes)


def admitted(period: Period, moment: Moment, settings: Settings) -> tuple[Period, Admission | None]:
    """The period after a call asked for admission, and its ticket; None is a refusal."""
    if not period.gated:
        return period, period
    if period.state is State.FORCED_OPEN or period.free_at(moment.now, settings.half_open_probes) > moment.now:
        return period, None
    probing = period if period.state is State.HALF_OPEN else _half_opened(period)
    lease = Lease(probing.leased, moment.now + settings.probe_seconds)
    live = tuple(other for other in probing.probes if other.deadline > moment.now)
    leased = probing.but(probes=(*live, lease), leased=probing.leased + 1)
    return leased, Ticket(leased.version, lease.token)


def failed(period: Period, ticket: Admission, moment: Moment, settings: Settings) -> Period:
    if is_stale(period, ticket) or period.state is State.DISABLED:
        return period
    counted = _counted(period, moment)
    if period.state in COUNTING and counted.failures < settings.streak_limit:
        return counted
    return tripped(counted, moment, settings)


def succeeded(period: Period, ticket: Admission, settings: Settings) -> Period:
    if is_stale(period, ticket):
        return period
    if period.state is not State.HALF_OPEN:
        return period.but(failures=0) if period.failures else period
    if period.successes + 1 >= settings.success_threshold:
        return reset(period)
    return period.but(successes=period.successes + 1, probes=_without(period, ticket))


def cancelled(period: Period, ticket: Admission) -> Period:
    """The call ended without saying anything about the backend: a probe gives its lease back."""
    if ticket.token is None or is_stale(period, ticket):
        return period
    return period.but(probes=_without(period, ticket))


def recorded_failure(period: Period, moment: Moment, settings: Settings) -> Period:
    """A failure without a ticket: admission and verdict in one step.

    Where no call would have been admitted it is counted, and decides nothing.
    """
    current, ticket = admitted(period, moment, settings)
    if ticket is None:
        return _counted(period, moment)
    return failed(current, ticket, moment, settings)


def recorded_success(period: Period, moment: Moment, settings: Settings) -> Period:
    """A success without a ticket. Where no call would have been admitted it is stale, and ignored."""
    current, ticket = admitted(period, moment, settings)
    return period if ticket is None else succeeded(current, ticket, settings)


def tripped(period: Period, moment: Moment, settings: Settings) -> Period:
    """Open, unless the circuit only measures."""
    if period.state is State.METRICS_ONLY:
        return period
    attempt = period.attempt + 1
    return Period(
        state=State.OPEN,
        version=period.version + 1,
        failures=period.failures,
        attempt=attempt,
        until=moment.now + settings.open_duration(attempt, moment.draw),
        last_failure=period.last_failure,
    )


def reset(period: Period) -> Period:
    return forced(period, State.CLOSED)


def forced(period: Period, state: State) -> Period:
    return Period(state=state, version=period.version + 1)


def _half_opened(period: Period) -> Period:
    return period.but(state=State.HALF_OPEN, version=period.version + 1, until=0.0)


def _counted(period: Period, moment: Moment) -> Period:
    return period.but(failures=period.failures + 1, last_failure=moment.failure)


def _without(period: Period, ticket: Admission) -> tuple[Lease, ...]:
    return tuple(lease for lease in period.probes if lease.token != ticket.token)
