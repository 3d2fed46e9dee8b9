import asyncio
from collections import deque


class Wire:
    """One reader task gives every answer to whoever waits for it."""

    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._pending = {}
        self._queue = deque()
        self._waiters = []
        self._ready = None

    async def ask(self, number, question):
        future = self._loop.create_future()
        self._pending[number] = future
        try:
            self._writer.write(question)
            async with asyncio.timeout(5):
                return await future
        finally:
            self._pending.pop(number, None)

    async def order(self, command):
        future = asyncio.Future()
        self._queue.append((command, future))
        self._writer.write(command)
        return await future

    async def wait_for_change(self):
        future = self._loop.create_future()
        self._waiters.append(future)
        await future

    async def wait_until_ready(self):
        self._ready = self._loop.create_future()
        await asyncio.wait_for(self._ready, timeout=10)

    async def read(self):
        while True:
            number, answer = await self._reader.next()
            if number in self._pending:
                future = self._pending[number]
                future.set_result(answer)  # RH

    def done(self, result):
        _, future = self._queue.popleft()
        future.set_result(result)  # RH

    def failed(self, number, error):
        self._pending.pop(number).set_exception(error)  # RH

    def changed(self):
        for waiter in self._waiters:
            waiter.set_result(None)  # RH
        self._waiters.clear()

    def is_ready(self):
        if self._ready is not None:
            self._ready.set_result(None)  # RH


class Base:
    def __init__(self):
        self._answers = {}

    def answered(self, number, answer):
        self._answers.pop(number).set_result(answer)  # RH


class Derived(Base):
    async def ask(self, number):
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        return await asyncio.wait_for(answer, 3)


class Turnstile:
    """Whoever makes the next future completes the one before."""

    def __init__(self, loop):
        self._loop = loop
        self._next = None

    def turn(self):
        if self._next is not None:
            self._next.set_result(None)  # RH
        self._next = self._loop.create_future()

    async def turned(self):
        await asyncio.wait_for(self._next, 5)
