"""How long to search: by time, by number of schedules, and in shares for the parts of an audit."""

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Budget:
    seconds: float
    rounds: int | None = None
    begun: float = field(default_factory=time.monotonic)
    done: int = 0
    least: int = 0
    """So many are tried however long they take, until one breaks: without any there is nothing to tell."""
    step: float = 0.0
    """How long the next one is expected to take: what cannot end in time is not begun."""

    @property
    def is_spent(self) -> bool:
        return bool(self.why_spent)

    @property
    def why_spent(self) -> str:
        if self.rounds is not None and self.done >= self.rounds:
            return f"the limit of {self.rounds} schedules"
        if self.done >= self.least and not self.has(self.step):
            return f"the time of {self.seconds:.0f} seconds"
        return ""

    def has(self, seconds: float) -> bool:
        """Whether so much time is left."""
        return self._left > seconds

    def part(self, share: float, *, step: float, least: int = 0) -> "Budget":
        """A share of the time that is left, and all the rounds."""
        rounds = None if self.rounds is None else max(0, self.rounds - self.done)
        return Budget(self._left * share, rounds, least=least, step=step)

    def time(self, share: float, *, step: float) -> "Budget":
        """A share of the time that is left, for what is not counted in rounds."""
        return Budget(self._left * share, step=step)

    @property
    def _left(self) -> float:
        return max(0.0, self.seconds - (time.monotonic() - self.begun))
