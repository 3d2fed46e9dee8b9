"""What callers say about how long to wait for a lock."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Final

DEFAULT_TIMEOUT: Final = 10.0
OWN_TIMEOUT: Final = float("nan")
"""Stands for the timeout given to the constructor. Told by its identity: every other NaN is refused."""


def checked(timeout: float | None) -> float | None:
    if timeout is not None and not timeout >= 0:  # also false for NaN
        raise ValueError(f"timeout is {timeout!r}: give seconds from 0 on, or None to wait without end")
    return timeout
