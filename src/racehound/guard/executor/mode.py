from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Mode:
    """When a round is decided and how its strategies start.

    `successes`: so many good results decide the round, and what still runs is cancelled; `None` waits for all.
    `delay`: strategies start one after another, the next as soon as `delay` seconds have brought no decision
    or everything started so far is settled; `None` starts all at once.
    """

    successes: int | None = None
    delay: float | None = None

    ALL: ClassVar[Mode]
    FIRST_SUCCESS: ClassVar[Mode]

    def __post_init__(self) -> None:
        if self.successes is not None and self.successes < 1:
            raise ValueError(f"a round is decided by one success or more, not by {self.successes}")
        if self.delay is not None and self.delay < 0:
            raise ValueError(f"a delay is zero seconds or more, not {self.delay}")

    @classmethod
    def quorum(cls, successes: int) -> Mode:
        """Decided by so many successes, or as soon as so many have become impossible."""
        return cls(successes=successes)

    @classmethod
    def hedged(cls, delay: float) -> Mode:
        """The first success wins; a slow strategy is backed up by the next after `delay` seconds."""
        return cls(successes=1, delay=delay)

    def is_decided(self, *, succeeded: int, unsettled: int) -> bool:
        if unsettled == 0:
            return True
        if self.successes is None:
            return False
        return succeeded >= self.successes or succeeded + unsettled < self.successes


Mode.ALL = Mode()
Mode.FIRST_SUCCESS = Mode(successes=1)
