"""Both find room for one more."""


class Cache:
    def __init__(self) -> None:
        self.entries = {"a": 1}
        self.capacity = 2

    def put(self, key: str) -> None:
        if len(self.entries) >= self.capacity:
            self.entries.pop(next(iter(self.entries)))
        self.entries[key] = 1


setup = Cache
WORKERS = [lambda cache: cache.put("b"), lambda cache: cache.put("c")]


def invariant(cache: Cache) -> bool:
    return len(cache.entries) <= cache.capacity
