"""A period as the row of a table or the fields of a hash."""

import json
from collections.abc import Sequence

from racehound.guard.breaker.period import Lease, Period, State

COLUMNS = ("state", "version", "failures", "successes", "attempt", "until", "probes", "leased", "last_failure")
Value = str | int | float


def to_row(period: Period) -> tuple[Value, ...]:
    probes = json.dumps([[lease.token, lease.deadline] for lease in period.probes])
    return (
        period.state.value,
        period.version,
        period.failures,
        period.successes,
        period.attempt,
        period.until,
        probes,
        period.leased,
        period.last_failure or "",
    )


def from_row(row: Sequence[str | float]) -> Period:
    state, version, failures, successes, attempt, until, probes, leased, last_failure = row
    return Period(
        state=State(str(state)),
        version=int(version),
        failures=int(failures),
        successes=int(successes),
        attempt=int(attempt),
        until=float(until),
        probes=tuple(Lease(token, deadline) for token, deadline in json.loads(str(probes))),
        leased=int(leased),
        last_failure=str(last_failure) or None,
    )
