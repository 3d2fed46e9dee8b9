import asyncio


async def called_off(seconds):
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    handle = loop.call_later(seconds, future.set_result, None)
    try:
        await future
    finally:
        handle.cancel()


def finish(future, result):
    if not future.done():
        future.set_result(result)


async def asked(pool, work):
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    pool.run(work, lambda result: loop.call_soon_threadsafe(finish, future, result))
    return await future


class Results:
    """Not a future of a loop."""

    def __init__(self, loop, sink):
        self._sink = sink
        loop.call_later(5, self._sink.set_result, None)
