import threading
from threading import RLock as Mutex


class Base:
    def __init__(self):
        self._mutex = Mutex()
        self.rows = []


class Derived(Base):
    async def refill(self):
        with self._mutex:
            async with connection() as link:  # RH
                self.rows = await link.rows()

    async def spelled_out(self):
        self._mutex.acquire()
        try:
            await self.refill()  # RH
        finally:
            self._mutex.release()

    async def stream(self):
        with self._mutex:
            async for row in self.source:  # RH
                self.rows.append(row)


async def passed_in(lock, work):
    with lock:
        await work()  # RH


LOCK = threading.Lock()


async def alias(work):
    mine = LOCK
    with mine:
        await work()  # RH
        await work()
