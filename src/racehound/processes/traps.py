"""Which calls of a command are to be stopped."""

from collections.abc import Mapping
from dataclasses import dataclass

from racehound.processes.calls import Detail
from racehound.processes.conditions import Condition
from racehound.processes.syscalls import traps


@dataclass(frozen=True, slots=True)
class Wanted:
    detail: Detail
    afterwards: bool = False
    """Also what a thread does when a call has returned, where the call's return itself is not seen."""
    only: frozenset[str] | None = None
    """Kinds of calls, as they are reported, beside what has to be known of in any case; None for all kinds."""

    def traps(self, architecture: str) -> Mapping[int, tuple[Condition, ...]]:
        return traps(architecture, self.detail, afterwards=self.afterwards, only=self.only)
