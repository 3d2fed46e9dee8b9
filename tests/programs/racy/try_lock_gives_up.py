"""Whoever finds the lock taken forgets what it had to do."""

import threading


class Log:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        if self._lock.acquire(blocking=False):
            try:
                self.lines.append(line)
            finally:
                self._lock.release()


setup = Log
WORKERS = [lambda log: log.write("a"), lambda log: log.write("b")]


def invariant(log: Log) -> bool:
    return len(log.lines) == 2
