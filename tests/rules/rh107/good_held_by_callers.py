import asyncio
import threading


class Coordinator:
    def __init__(self):
        self._lock = threading.Lock()
        self.generation = None

    def join(self, generation):
        with self._lock:
            self.generation = generation


class Pool:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._thread_lock = threading.Lock()
        self._free = []

    def reset(self):
        self._free = []

    async def take(self):
        async with self._lock:
            return self._free.pop()

    async def give(self, item):
        async with self._lock:
            self._free.append(item)
