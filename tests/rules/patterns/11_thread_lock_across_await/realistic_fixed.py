import threading
from contextlib import contextmanager


class Store:
    def __init__(self):
        self._mutex = threading.RLock()
        self._items = []

    @contextmanager
    def _exclusive(self):
        with self._mutex:
            yield self

    async def save(self, item):
        with self._exclusive():
            self._items.append(item)
        await self._write(item)

    async def flush(self):
        with self._mutex:
            items = list(self._items)
        await self._write(items)
