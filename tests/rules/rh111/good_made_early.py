import asyncio
import threading


class Pool:
    _making = threading.Lock()

    def __init__(self, lock=None):
        self._lock = lock
        if self._lock is None:
            self._lock = threading.Lock()
        self._tasks = None
        self._other = None

    def other(self):
        with self._making:
            if self._other is None:
                self._other = threading.Lock()
            return self._other

    def after_fork(self):
        self._lock = threading.Lock()

    async def tasks(self):
        if self._tasks is None:
            self._tasks = asyncio.Lock()
        async with self._tasks:
            return 1
