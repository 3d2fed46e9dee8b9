"""How sure a finding is, and what keeps it from being surer: one value, so that neither is decided alone."""

from dataclasses import dataclass
from enum import Enum

from racehound.model.finding import Confidence


class Doubt(Enum):
    """A reason why a finding is weaker than it could be, as a sentence; each room of the rules has its own."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self.likely = Sureness(Confidence.LIKELY, self)
        self.possible = Sureness(Confidence.POSSIBLE, self)


@dataclass(frozen=True, slots=True)
class Sureness:
    """Made by a doubt, as `MeetingDoubt.ONE_THREAD.possible`; what nothing speaks against is `CERTAIN`."""

    confidence: Confidence
    doubt: Doubt | None

    def __post_init__(self) -> None:
        if (self.doubt is None) != (self.confidence is Confidence.CERTAIN):
            raise ValueError(
                f"{self.confidence} with {self.doubt}: a weaker finding has a reason, a certain one has none"
            )

    @property
    def reason(self) -> str:
        """Empty where nothing is in doubt."""
        return "" if self.doubt is None else self.doubt.reason

    @property
    def rank(self) -> int:
        """0 for the surest."""
        return self.confidence.rank

    @property
    def is_certain(self) -> bool:
        return self.confidence is Confidence.CERTAIN

    @property
    def is_likely(self) -> bool:
        return self.confidence is Confidence.LIKELY

    @property
    def is_possible(self) -> bool:
        return self.confidence is Confidence.POSSIBLE


CERTAIN = Sureness(Confidence.CERTAIN, None)


def weaker(one: Sureness, other: Sureness) -> Sureness:
    """The one of the two that is less sure; the first where they are alike."""
    return max(one, other, key=lambda sure: sure.rank)
