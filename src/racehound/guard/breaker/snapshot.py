from dataclasses import dataclass

from racehound.guard.breaker.period import State


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One moment of a circuit. `retry_after` is 0 where a call would be admitted."""

    name: str
    state: State
    version: int
    failures: int
    retry_after: float
    last_failure: str | None
    calls_in_window: int
    failure_rate: float
    slow_rate: float
