"""A thread in the background throws away what is old while others go through it."""

import threading
import time


class Sessions:
    def __init__(self) -> None:
        self.open = {"a": 1, "b": 2}
        threading.Thread(target=self.expire, daemon=True).start()

    def expire(self) -> None:
        while True:
            time.sleep(60)
            self.open.pop("a", None)

    def total(self) -> int:
        return sum(value for value in self.open.values())

    def touch(self) -> None:
        self.open["b"] = 2


setup = Sessions
WORKERS = [Sessions.total, Sessions.touch]
