import asyncio
from collections import deque


class LooksAgain:
    def __init__(self):
        self._owner = None
        self._waiters = deque()

    async def acquire(self, name):
        while self._owner is not None:
            waiter = asyncio.Event()
            self._waiters.append(waiter)
            await waiter.wait()
        self._owner = name

    async def try_acquire(self, name):
        if self._owner is not None:
            waiter = asyncio.Event()
            self._waiters.append(waiter)
            await waiter.wait()
            if self._owner is not None:
                raise TimeoutError
        self._owner = name

    async def release(self):
        self._owner = None
        if self._waiters:
            self._waiters.popleft().set()


class HandsOver:
    """Whoever gives back makes the next one the owner."""

    def __init__(self):
        self._owner = None
        self._waiters = deque()

    async def acquire(self, name):
        if self._owner is not None:
            waiter = asyncio.Event()
            self._waiters.append((name, waiter))
            await waiter.wait()
            return
        self._owner = name

    async def release(self):
        self._owner, waiter = self._waiters.popleft()
        waiter.set()


class WaitsForSomethingElse:
    def __init__(self):
        self._ready = asyncio.Event()
        self._count = 0

    async def count(self):
        if not self._ready.is_set():
            await self._ready.wait()
        self._count = 1

    async def reset(self):
        self._count = 0


class LooksAfterATry:
    def __init__(self):
        self._buffer = []
        self._filled = asyncio.Event()

    async def receive(self):
        while not self._buffer:
            try:
                await self._filled.wait()
            except TimeoutError:
                raise
            self._filled.clear()
        return self._buffer.pop(0)

    async def connect(self):
        self._buffer = []
