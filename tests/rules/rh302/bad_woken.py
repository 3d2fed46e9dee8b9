"""Woken is not served: between the two another task may be quicker."""

import asyncio
from collections import deque

from tornado import gen, locks


class Turns:
    def __init__(self):
        self._owner = None
        self._waiters = deque()

    async def acquire(self, name):
        if self._owner is not None:
            waiter = asyncio.Event()
            self._waiters.append(waiter)
            await waiter.wait()
        self._owner = name  # RH

    async def release(self):
        self._owner = None
        if self._waiters:
            self._waiters.popleft().set()


class OldTurns:
    def __init__(self):
        self._ids = {}
        self._free = locks.Event()

    @gen.coroutine
    def acquire(self, name, owner):
        if name in self._ids:
            future = self._free.wait()
            try:
                yield future
            except gen.TimeoutError:
                return
        assert name not in self._ids
        self._ids[name] = owner  # RH

    @gen.coroutine
    def release(self, name):
        yield
        del self._ids[name]
        self._free.set()
