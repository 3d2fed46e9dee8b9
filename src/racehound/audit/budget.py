"""How long to search: by time, by number of schedules, and in shares for the parts of an audit."""

import time
from dataclasses import dataclass, field

MOST_GRACE, LEAST_GRACE, GRACE_SHARE = 5.0, 2.0, 0.15


@dataclass(slots=True)
class Budget:
    seconds: float
    rounds: int | None = None
    begun: float = field(default_factory=time.monotonic)
    done: int = 0
    step: float = 0.0
    """How long the next one is expected to take: what cannot end in time is not begun."""

    @property
    def is_spent(self) -> bool:
        return bool(self.why_spent)

    @property
    def is_counted_out(self) -> bool:
        return self.rounds is not None and self.done >= self.rounds

    @property
    def why_spent(self) -> str:
        if self.is_counted_out:
            return f"the limit of {self.rounds} schedules"
        if not self.has(self.step):
            return f"the time of {self.seconds:.0f} seconds"
        return ""

    def has(self, seconds: float) -> bool:
        """Whether so much time is left."""
        return self._left > seconds

    @property
    def deadline(self) -> float:
        """When everything has to be over, a moment later than it should; of the monotonic clock."""
        return self.begun + self.seconds + self._grace

    def has_just(self, seconds: float) -> bool:
        """Whether so much time is left until the deadline."""
        return self.deadline - time.monotonic() > seconds

    def part(self, share: float, *, step: float, reserve: float = 0.0) -> "Budget":
        """A share of the time that is left, `reserve` seconds aside, and all the rounds."""
        rounds = None if self.rounds is None else max(0, self.rounds - self.done)
        return Budget(max(0.0, self._left - reserve) * share, rounds, step=step)

    def time(self, share: float, *, step: float) -> "Budget":
        """A share of the time that is left, for what is not counted in rounds."""
        return Budget(self._left * share, step=step)

    @property
    def _grace(self) -> float:
        return min(MOST_GRACE, LEAST_GRACE + GRACE_SHARE * self.seconds)

    @property
    def _left(self) -> float:
        return max(0.0, self.seconds - (time.monotonic() - self.begun))
