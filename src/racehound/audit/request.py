"""What to audit, and how long."""

from collections.abc import Callable
from dataclasses import dataclass

from racehound.audit.template import Pair

SECONDS = 120.0
PATIENCE = 12.0
"""A little more than the ten seconds that the specification shows as the usual time to wait for a lock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRequest:
    pairs: tuple[Pair, ...]
    setup: tuple[str, ...] = ()
    view: str | None = None
    rounds: int | None = None
    seconds: float = SECONDS
    session_flag: str = "--session-id"
    patience: float = PATIENCE
    deep: bool = False
    directory: str | None = None
    """Copied into the working directory of the sandbox before the set-up."""


@dataclass(frozen=True, slots=True)
class Progress:
    stage: str
    done: int
    total: int


Watch = Callable[[Progress], None]
