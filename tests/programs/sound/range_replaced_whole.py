"""Two values that belong together are in one object that never changes, and is exchanged under a lock."""

import threading
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Range:
    low: int = 0
    high: int = 0


class Window:
    def __init__(self) -> None:
        self.range = Range()
        self.lock = threading.Lock()

    def widen(self) -> None:
        with self.lock:
            self.range = replace(self.range, low=self.range.low - 1, high=self.range.high + 1)

    def width(self) -> int:
        now = self.range
        return now.high - now.low


setup = Window
WORKERS = [Window.widen, Window.width]
