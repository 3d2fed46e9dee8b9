import threading
from contextlib import contextmanager


class Store:
    def __init__(self):
        self._mutex = threading.RLock()

    @contextmanager
    def _exclusive(self):
        with self._mutex:
            yield self

    async def save(self, item):
        with self._exclusive():
            await self._write(item)  # RH

    async def flush(self):
        self._mutex.acquire()
        try:
            await self._write(None)  # RH
        finally:
            self._mutex.release()
