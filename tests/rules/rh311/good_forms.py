import asyncio
import threading
from queue import Queue


class Bridge:
    def __init__(self):
        self._inbox = Queue()
        self._items = asyncio.Queue()
        self._ready = asyncio.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work)

    def _work(self):
        return self._inbox.get()

    async def receive(self):
        await self._ready.wait()
        await self._items.get()
        return self._inbox.get_nowait()

    async def tries(self):
        if self._lock.acquire(False):
            self._lock.release()
        if self._lock.acquire(blocking=False):
            self._lock.release()

    async def short(self):
        with self._lock:
            self.count = 1

    async def offloaded(self):
        await asyncio.to_thread(self._thread.join)
        await asyncio.get_running_loop().run_in_executor(None, self._work)

    async def strings(self, names):
        return ", ".join(names)
