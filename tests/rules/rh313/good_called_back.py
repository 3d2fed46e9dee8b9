import asyncio


async def first_event(source):
    event = asyncio.get_running_loop().create_future()

    def arrived(value):
        if not event.done():
            event.set_result(value)

    source.subscribe(arrived)
    return await asyncio.wait_for(event, 5)


async def shielded(source):
    event = asyncio.get_running_loop().create_future()
    source.subscribe(lambda value: event.set_result(value))
    return await asyncio.wait_for(asyncio.shield(event), 5)


async def reckoned_with(source):
    event = asyncio.get_running_loop().create_future()

    def arrived(value):
        try:
            event.set_result(value)
        except asyncio.InvalidStateError:
            source.refuse(value)

    source.subscribe(arrived)
    return await asyncio.wait_for(event, 5)


async def at_once(source):
    event = asyncio.get_running_loop().create_future()
    event.set_result(source.first)
    return await asyncio.wait_for(event, 5)


class Socket:
    def __init__(self, loop, raw):
        self._closed = loop.create_future()
        if raw is None:
            self._closed.set_result(None)

    async def ended(self, seconds):
        await asyncio.wait_for(self._closed, seconds)

    def shut(self):
        if not self._closed.done():
            self._closed.set_result(None)
