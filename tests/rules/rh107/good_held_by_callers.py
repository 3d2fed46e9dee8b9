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


class Asserted:
    def __init__(self):
        self._mutex = threading.Lock()
        self._pings = {}

    def ping(self, key):
        with self._mutex:
            self._pings[key] = 1

    def acknowledge(self, key):
        assert self._mutex.locked()
        for known in list(self._pings):
            if known == key:
                break
        self._pings.pop(key)
