"""The file locks of the system at hand, under one name."""

from __future__ import annotations

import sys

if sys.platform == "win32":  # pragma: needs msvcrt
    from racehound.guard.windows import (
        enter_gate,
        leave_gate,
        lock,
        read_at,
        try_enter_gate,
        try_lock,
        try_share,
        unlock,
        write_at,
    )
else:
    from racehound.guard.posix import (
        enter_gate,
        leave_gate,
        lock,
        read_at,
        try_enter_gate,
        try_lock,
        try_share,
        unlock,
        write_at,
    )

__all__ = [
    "enter_gate",
    "leave_gate",
    "lock",
    "read_at",
    "try_enter_gate",
    "try_lock",
    "try_share",
    "unlock",
    "write_at",
]
