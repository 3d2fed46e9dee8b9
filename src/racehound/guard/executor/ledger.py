"""The rounds of an executor: those under way, and what became of the strategies of those that ended."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING

from racehound.guard.executor.outcome import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from racehound.guard.executor.round import Round


class Ledger:
    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)
        self._closed = False
        self.renew()

    def renew(self) -> None:
        # Entered itself, not through the condition: an interrupt right after that would leave it held for ever.
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._under_way: set[Round] = set()
        self._rounds = 0
        self._others: dict[str, Counter[str]] = {name: Counter() for name in self._names}  # statuses but ok

    def enter(self, current: Round) -> bool:
        """Whether the round may take place."""
        with self._lock:
            if not self._closed:
                self._under_way.add(current)
            return not self._closed

    def leave(self, current: Round) -> None:
        with self._lock:
            self._under_way.discard(current)
            self._rounds += 1
            for attempt in current.attempts:
                if attempt.outcome is not None and attempt.outcome.status is not Status.OK:
                    self._others[attempt.name][attempt.outcome.status] += 1
            if not self._under_way:
                self._changed.notify_all()

    def close(self) -> None:
        with self._lock:
            self._closed = True

    def drain(self, seconds: float) -> bool:
        """Wait until no round is under way; whether that came true in time."""
        with self._lock:
            return self._changed.wait_for(lambda: not self._under_way, seconds)

    def cancel_all(self, reason: str) -> None:
        with self._lock:
            rounds = list(self._under_way)
        for current in rounds:
            current.cancel(reason)

    def counts(self) -> dict[str, dict[str, int]]:
        with self._lock:
            return {name: self._counts_of(others) for name, others in self._others.items()}

    def _counts_of(self, others: Counter[str]) -> dict[str, int]:
        counts = {str(status): others[status] for status in Status}
        return counts | {str(Status.OK): self._rounds - others.total()}
