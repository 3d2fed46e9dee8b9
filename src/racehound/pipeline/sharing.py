"""One budget for many proofs: each gets its share when it begins, and what it leaves over is for the others."""

import os
import threading
from collections.abc import Callable
from time import monotonic

from racehound.model.finding import Finding
from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.pipeline.proofs import EVERYTHING, Prove, Scope

LEAST = 2.0
"""Seconds below which a search is not worth its start; where there are too many findings, the last go without."""


class SharedBudget:
    """Proves as long as time is left; takes the place of the function that does."""

    def __init__(
        self, prove: Prove, *, seconds: float, count: int, clock: Callable[[], float] = monotonic
    ) -> None:
        self._prove = prove
        self._seconds = seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._deadline = clock() + seconds
        self._waiting = count

    def __call__(
        self,
        finding: Finding,
        /,
        *,
        budget: float,
        source_override: str | None = None,
        first: ScenarioText | None = None,
        scope: Scope = EVERYTHING,
    ) -> Proof:
        share = self._share()
        if share <= 0:
            reason = (
                f"the budget of {self._seconds:g} seconds was spent on other findings; give more with --budget"
            )
            return Proof(verdict=Verdict.INCONCLUSIVE, reason=reason, executions=0)
        return self._prove(
            finding, budget=min(budget, share), source_override=source_override, first=first, scope=scope
        )

    def _share(self) -> float:
        """Of the time that is left, as much as everybody could have who has not begun yet."""
        with self._lock:
            left = self._deadline - self._clock()
            waiting = max(self._waiting, 1)  # a patch may take more than one search
            fair = left * min(os.cpu_count() or 1, waiting) / waiting
            self._waiting -= 1
        return min(left, max(fair, LEAST))
