import asyncio
import threading


class Tree:
    def __init__(self):
        self._lock = threading.Lock()
        self._left = 3

    def shrink(self):
        with self._lock:
            self._left -= 1
            if self._left:
                self.shrink()  # RH


class Pool:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._free = []

    async def take(self):
        async with self._lock:
            if not self._free:
                return await self.take()  # RH
            return self._free.pop()
