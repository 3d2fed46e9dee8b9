import asyncio
from concurrent.futures import ThreadPoolExecutor


class Uploader:
    def __init__(self, loop):
        self._pool = ThreadPoolExecutor(4)
        self._loop = loop

    def _upload(self, name):
        send(name)

    def upload(self, name):
        self._pool.submit(self._upload, name)  # RH

    async def _notify(self, name):
        await post(name)

    def notify(self, name):
        asyncio.run_coroutine_threadsafe(self._notify(name), self._loop)  # RH


async def collect(sources):
    pending = []
    for source in sources:
        pending.append(asyncio.ensure_future(source.read()))
    await asyncio.wait(pending)  # RH


async def both(socket):
    reading = asyncio.create_task(collect(socket))
    writing = asyncio.create_task(collect(socket))
    tasks = [reading, writing]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)  # RH
    await leave(socket)
