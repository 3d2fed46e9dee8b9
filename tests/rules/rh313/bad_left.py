import asyncio


class Pause:
    def __init__(self, seconds):
        loop = asyncio.get_running_loop()
        self._over = loop.create_future()
        self._handle = loop.call_later(seconds, self._over.set_result, None)  # RH

    def wait(self):
        return self._over


async def in_thread(pool, work):
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def done(result):
        loop.call_soon_threadsafe(future.set_result, result)  # RH

    pool.run(work, done)
    return await future


async def either(pool, work):
    loop = asyncio.get_running_loop()
    future = loop.create_future()

    def done(result, error):
        if error is None:
            loop.call_soon_threadsafe(future.set_result, result)  # RH
        else:
            loop.call_soon_threadsafe(future.set_exception, error)

    pool.run(work, done)
    return await future


class Waiters:
    """Whoever notifies may complete a future in the round in which its timer is due."""

    def __init__(self):
        self._futures = []

    async def wait(self, seconds):
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._futures.append(future)
        handle = loop.call_later(seconds, future.set_result, None)  # RH
        try:
            await future
        finally:
            handle.cancel()

    def notify(self):
        for future in self._futures:
            if not future.done():
                future.set_result(None)
