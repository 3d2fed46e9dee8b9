"""Circuit breakers by name: exact counts, one probe at a time, one place or many."""

from racehound.guard.breaker.errors import CircuitOpen, StoreUnavailable
from racehound.guard.breaker.events import BreakerEvent, EventKind
from racehound.guard.breaker.period import Period, State
from racehound.guard.breaker.permit import Permit
from racehound.guard.breaker.registry import CircuitBreaker
from racehound.guard.breaker.settings import Settings, Window
from racehound.guard.breaker.snapshot import Snapshot

__all__ = [
    "BreakerEvent",
    "CircuitBreaker",
    "CircuitOpen",
    "EventKind",
    "Period",
    "Permit",
    "Settings",
    "Snapshot",
    "State",
    "StoreUnavailable",
    "Window",
]
