import asyncio
from collections import defaultdict


class Mailroom:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._waiting = defaultdict(asyncio.Queue)

    async def publish(self, topic, job):
        async with self._lock:
            await self._waiting[topic].put(job)

    async def next(self, topic):
        async with self._lock:
            waiting = self._waiting[topic]
        return await waiting.get()


class Signals:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._events = {}

    async def wait(self, name):
        async with self._lock:
            self._events[name] = asyncio.Event()
            await self._events[name].wait()

    async def fire(self, name):
        self._events[name].set()
