import asyncio
import threading


class Session:
    def __init__(self):
        self._lock = threading.Lock()

    async def prepare(self, engine):
        while not self._lock.acquire(blocking=False):
            await asyncio.sleep(0.01)
        try:
            await engine.create()
        finally:
            self._lock.release()


class Turn:
    def __init__(self, lock, seconds):
        self._lock = lock
        self._seconds = seconds

    async def take(self):
        await asyncio.wait_for(self._lock.acquire(), self._seconds)
        await self.announce()
