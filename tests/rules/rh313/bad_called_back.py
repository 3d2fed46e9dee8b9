"""A function nested in the coroutine completes the future, or a method of the future is handed out."""

import asyncio


async def first_event(source):
    loop = asyncio.get_running_loop()
    event = loop.create_future()

    def arrived(value):
        event.set_result(value)  # RH

    source.subscribe(arrived)
    return await asyncio.wait_for(event, 5)


async def first_error(source):
    error = asyncio.Future()
    source.subscribe(lambda reason: error.set_exception(reason))  # RH
    async with asyncio.timeout(5):
        await error


async def first_answer(source):
    answer = asyncio.get_running_loop().create_future()
    source.subscribe(callback=answer.set_result)  # RH
    return await asyncio.wait_for(answer, 5)


class Socket:
    """One method makes the future, another waits for it, a third completes it."""

    def __init__(self, loop, raw):
        self._loop = loop
        self._raw = raw
        self._readable = None
        self._closed = loop.create_future()

    def _until_readable(self):
        waiter = self._readable = self._loop.create_future()
        return waiter

    async def receive(self):
        await self._until_readable()
        return self._raw.recv(100)

    async def ended(self, seconds):
        await asyncio.wait_for(self._closed, seconds)

    def shut(self):
        if self._readable:
            self._readable.set_result(None)  # RH
        self._closed.set_result(None)
