"""Both see the key before either deletes it."""


class Cache:
    def __init__(self) -> None:
        self.entries = {"a": 1}

    def evict(self) -> None:
        if "a" in self.entries:
            del self.entries["a"]


setup = Cache
WORKERS = [Cache.evict, Cache.evict]
