from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far an executor goes before it says no.

    Attributes:
        timeout: overall deadline in seconds of a round that states none.
        queue: strategies that may wait for a worker; further ones are rejected. Without it everybody waits
            for a turn, at most until the deadline of the round.
        stragglers: runs of one strategy that may be left behind still running. A strategy with more is
            rejected until one of them returns: a hang costs threads, and this bounds them.
        shutdown: seconds that leaving the `with` block waits for rounds under way.
    """

    timeout: float | None = None
    queue: int | None = None
    stragglers: int = 8
    shutdown: float | None = 10.0

    def __post_init__(self) -> None:
        for field in ("timeout", "queue", "shutdown"):
            value = getattr(self, field)
            if value is not None and value < 0:
                raise ValueError(f"{field} is zero or more, not {value}")
        if self.stragglers < 1:
            raise ValueError(f"stragglers is one or more, not {self.stragglers}")
