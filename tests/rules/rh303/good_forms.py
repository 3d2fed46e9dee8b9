import asyncio
import threading
from contextlib import contextmanager, nullcontext


class Store:
    def __init__(self, clock):
        self._lock = threading.Lock()
        self._turn = asyncio.Lock()
        self.clock = clock

    async def short(self):
        with self._lock:
            self.rows = []
        await asyncio.sleep(0)

    async def task_lock(self):
        async with self._turn:
            await asyncio.sleep(0)

    async def nested_function(self):
        with self._lock:

            async def later():
                await asyncio.sleep(0)

            return later

    async def other_context(self):
        with self.timer():
            await asyncio.sleep(0)
        with self.clock:
            await asyncio.sleep(0)
        with nullcontext():
            await asyncio.sleep(0)

    @contextmanager
    def timer(self):
        yield

    async def released(self):
        self._lock.acquire()
        self._lock.release()
        await asyncio.sleep(0)

    async def awaited(self, lock):
        await lock.acquire()
        await asyncio.sleep(0)
        lock.release()

    def plain(self):
        with self._lock:
            yield 1
