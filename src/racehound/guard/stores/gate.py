"""One owner of this process at a time, before the server is asked.

A server knows processes or connections, not the threads and asyncio tasks of a process. The gate
serialises those and counts how often its owner came in.
"""

import threading
import time


class Gate:
    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        # Entered itself, not through the condition: an interrupt right after that would leave it held for ever.
        self._lock = threading.Lock()
        self._condition = threading.Condition(self._lock)
        self._owner: object = None
        self._depth = 0
        self._inherited = 0  # how often a forked child may leave what only its parent entered

    def enter(self, owner: object, timeout: float | None) -> int | None:
        """How often the owner is now inside, or None if another one did not leave in time."""
        deadline = None if timeout is None else time.monotonic() + timeout
        with self._lock:
            while self._owner is not None and self._owner is not owner:
                remaining = None if deadline is None else deadline - time.monotonic()
                if remaining is not None and remaining <= 0:
                    return None
                self._condition.wait(remaining if remaining is None else min(remaining, threading.TIMEOUT_MAX))
            self._owner = owner
            self._depth += 1
            return self._depth

    def depth(self, owner: object) -> int:
        with self._lock:
            return self._depth if self._owner is owner else 0

    def leave(self) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._owner = None
                self._condition.notify()

    def forget_parent(self) -> None:
        """In a forked child: the owners are the parent's, and its blocks may still be left here."""
        inherited = self._inherited + self._depth
        self._reset()
        self._inherited = inherited

    def leave_inherited(self) -> bool:
        with self._lock:
            if self._inherited == 0:
                return False
            self._inherited -= 1
            return True
