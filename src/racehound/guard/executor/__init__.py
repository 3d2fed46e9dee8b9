"""Named strategies in parallel: isolated from each other, bounded in time, guarded by a breaker."""

from racehound.guard.executor.current import Cancellation, cancellation
from racehound.guard.executor.errors import (
    StrategyCancelled,
    StrategyRejected,
    StrategyTimedOut,
    StrategyUnfinished,
)
from racehound.guard.executor.executor import ParallelStrategyExecutor
from racehound.guard.executor.limits import Limits
from racehound.guard.executor.mode import Mode
from racehound.guard.executor.outcome import Outcome, Status
from racehound.guard.executor.stragglers import Straggler
from racehound.guard.executor.strategy import Strategy

__all__ = [
    "Cancellation",
    "Limits",
    "Mode",
    "Outcome",
    "ParallelStrategyExecutor",
    "Status",
    "Straggler",
    "Strategy",
    "StrategyCancelled",
    "StrategyRejected",
    "StrategyTimedOut",
    "StrategyUnfinished",
    "cancellation",
]
