"""How long to wait before a refused command is run again."""

from dataclasses import dataclass, field
from random import Random

_MOST_DOUBLINGS = 64  # beyond any bound, and not beyond what a float can hold


@dataclass(frozen=True, slots=True)
class Backoff:
    """Full jitter (each wait is drawn from zero to a growing bound) unless the tool gave a hint.

    A hint is honoured in full and lengthened by up to a tenth, so that callers who were refused
    together do not come back together.
    """

    first_seconds: float = 0.1
    longest_seconds: float = 10.0
    longest_hint_seconds: float = 60.0
    random: Random = field(default_factory=Random)

    def delay(self, attempt: int, retry_after_ms: int | None) -> float:
        """Seconds to wait after the given attempt, the first being 1."""
        if retry_after_ms:
            hint = min(retry_after_ms, self.longest_hint_seconds * 1000) / 1000
            return hint * self.random.uniform(1.0, 1.1)
        bound = min(self.longest_seconds, self.first_seconds * 2.0 ** min(attempt, _MOST_DOUBLINGS))
        return self.random.uniform(0.0, bound)
