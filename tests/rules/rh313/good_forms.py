import asyncio
import contextlib
from collections import deque


class Wire:
    def __init__(self, reader, writer):
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._pending = {}
        self._queue = deque()
        self._waiters = []
        self._shielded = {}

    async def ask(self, number, question):
        future = self._loop.create_future()
        self._pending[number] = future
        self._writer.write(question)
        return await asyncio.wait_for(future, 5)

    async def order(self, command):
        future = asyncio.Future()
        self._queue.append((command, future))
        return await future

    async def wait_for_change(self):
        future = self._loop.create_future()
        self._waiters.append(future)
        await future

    async def shielded(self, number):
        future = self._loop.create_future()
        self._shielded[number] = future
        return await asyncio.shield(future)

    def answered(self, number, answer):
        future = self._pending.pop(number, None)
        if future is not None and not future.done():
            future.set_result(answer)

    def done(self, result):
        _, future = self._queue.popleft()
        try:
            future.set_result(result)
        except asyncio.InvalidStateError:
            pass

    def changed(self):
        for waiter in self._waiters:
            if waiter.cancelled():
                continue
            waiter.set_result(None)
        self._waiters.clear()

    def shielded_answer(self, number, answer):
        self._shielded.pop(number).set_result(answer)

    def own(self, answer):
        future = self._loop.create_future()
        future.set_result(answer)
        return future


class Handed:
    """Nobody waits here: the future goes to the caller, who may not cancel it."""

    def __init__(self):
        self._answers = {}

    def ask(self, number):
        future = self._answers[number] = asyncio.get_running_loop().create_future()
        return future

    def answered(self, number, answer):
        self._answers.pop(number).set_result(answer)


class Suppressed:
    def __init__(self):
        self._pending = {}

    async def ask(self, key):
        self._pending[key] = asyncio.get_running_loop().create_future()
        return await asyncio.wait_for(self._pending[key], 1)

    def on_answer(self, key, text):
        with contextlib.suppress(asyncio.InvalidStateError):
            self._pending[key].set_result(text)


class Gate:
    """Open from the start: nobody can have waited for a future that was made a line before."""

    def __init__(self, loop):
        self._loop = loop
        self._open = loop.create_future()
        self._open.set_result(None)

    def close(self):
        self._open = self._loop.create_future()

    async def passed(self):
        await asyncio.wait_for(self._open, 5)
