from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from racehound.guard.breaker.period import Period, State


class EventKind(StrEnum):
    CLOSED = "closed"
    OPENED = "opened"
    HALF_OPENED = "half-opened"
    FORCED_OPEN = "forced-open"
    DISABLED = "disabled"
    METRICS_ONLY = "metrics-only"
    FAILURE = "failure"
    SUCCESS = "success"
    CANCELLED = "cancelled"
    REFUSED = "refused"
    STALE = "stale"
    STORE_LOST = "store-lost"
    STORE_RECOVERED = "store-recovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerEvent:
    """Something that happened to a circuit, with the period it left behind.

    Events are sent after every lock is released. Two threads may send theirs in either order;
    `version` tells which state is the newer one.
    """

    kind: EventKind
    name: str
    state: State
    version: int
    failures: int
    detail: str | None = None


Listener = Callable[[BreakerEvent], object]

ENTERED = {
    State.CLOSED: EventKind.CLOSED,
    State.OPEN: EventKind.OPENED,
    State.HALF_OPEN: EventKind.HALF_OPENED,
    State.FORCED_OPEN: EventKind.FORCED_OPEN,
    State.DISABLED: EventKind.DISABLED,
    State.METRICS_ONLY: EventKind.METRICS_ONLY,
}


class Announcer:
    """Sends events to listeners. A listener that raises is logged and harms nobody."""

    def __init__(self, listeners: Iterable[Listener]) -> None:
        self.listeners = tuple(listeners)

    def send(self, kind: EventKind, name: str, period: Period, detail: str | None = None) -> None:
        if not self.listeners:
            return
        event = BreakerEvent(
            kind=kind,
            name=name,
            state=period.state,
            version=period.version,
            failures=period.failures,
            detail=detail,
        )
        for listener in self.listeners:
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001 - whatever a listener does, the guarded call goes on
                log_foreign_error(f"listener {listener!r} failed on {kind} of circuit {name!r}", error)


def log_foreign_error(sentence: str, error: Exception) -> None:
    """Log an exception that code given by the user has raised where it may not disturb the call."""
    import logging  # noqa: PLC0415 - eight milliseconds that only a failing listener costs

    logging.getLogger("racehound.guard").error(sentence, exc_info=error)
