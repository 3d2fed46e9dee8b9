"""Waiting for an execution whose code may wait for something outside, and for ever.

No turn can be taken from a thread that sits in a socket or a foreign lock. Whoever waits for the execution gives
up once the time is over and no step has been made for a while; the thread is left to itself.
"""

import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import monotonic
from types import FrameType

from racehound.errors import HarnessError

STANDSTILL = 1.5
"""Seconds without any step after which code counts as stuck, once the time is over."""

STEP_LIMIT = 100_000
SOME = 1_000

_OWN = str(Path(__file__).resolve().parents[1])
_LIBRARY = sysconfig.get_path("stdlib")


@dataclass(slots=True)
class Patience:
    """How long an execution may take."""

    until: float = inf
    """When code that makes no steps is given up."""
    ends: float = inf
    """When no more steps are to be made."""
    most: int = STEP_LIMIT
    """How many may be made."""
    steps: int = SOME
    """After how many somebody looks at the clock."""

    def is_late(self, steps: int) -> bool:
        """Whether the time is over; if not, nobody looks before so many more steps."""
        self.steps = min(steps + SOME, self.most)
        return monotonic() >= self.ends

    def is_outlasted(self, wait: Callable[..., bool], steps: Callable[[], int]) -> bool:
        """Wait for the end; true if nothing moves any more."""
        if self.until == inf:
            wait()
            return False
        return outlasts(wait, self.until, steps)


def outlasts(wait: Callable[..., bool], until: float, steps: Callable[[], int]) -> bool:
    """Wait; true if nothing moves any more after `until`."""
    if wait(True, max(until - monotonic(), 0.0)):
        return False
    before = -1
    while steps() != before:
        before = steps()
        if wait(True, STANDSTILL):
            return False
    return True


def stuck_at(ident: int) -> HarnessError:
    """What to say of a thread that does not come back."""
    frame = sys._current_frames().get(ident)  # noqa: SLF001 - the only way to see another thread
    place = _place(frame)
    where = f": it stands at {place} and may wait for something outside" if place else ""
    return HarnessError(f"the code did not come to an end in time{where}", hint="replace what it waits for")


def _place(frame: FrameType | None) -> str:
    while frame is not None:
        path = frame.f_code.co_filename
        if not path.startswith((_OWN, _LIBRARY, "<frozen")):
            return f"{path}:{frame.f_lineno} in {frame.f_code.co_qualname}"
        frame = frame.f_back
    return ""
