import asyncio
import threading


class Session:
    def __init__(self):
        self._lock = threading.Lock()

    async def prepare(self, engine):
        while not self._lock.acquire(blocking=False):
            await asyncio.sleep(0.01)
        try:
            await engine.create()  # RH
        finally:
            self._lock.release()

    def close(self):
        with self._lock:
            self.closed = True


class Patient:
    def __init__(self):
        self._lock = threading.Lock()

    async def prepare(self, engine):
        if self._lock.acquire(timeout=5):
            try:
                await engine.create()  # RH
            finally:
                self._lock.release()
