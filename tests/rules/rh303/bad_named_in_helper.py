from contextlib import contextmanager


class Handler:
    def __init__(self, lock):
        self._lock = lock

    @contextmanager
    def _protected(self):
        with self._lock:
            yield

    async def complete(self):
        with self._protected():
            await self.sink.complete()  # RH
