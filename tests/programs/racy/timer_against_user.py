"""A timer clears what a method has just checked."""

import threading


class Cache:
    def __init__(self) -> None:
        self.entry: dict[str, int] = {"key": 1}
        self.timer = threading.Timer(30.0, self.entry.clear)

    def get(self) -> int:
        self.timer.start()
        value = 0
        if "key" in self.entry:
            value += self.entry["key"]
        self.timer.cancel()
        return value


setup = Cache
WORKERS = [Cache.get]


def invariant(cache: Cache) -> bool:
    return True
