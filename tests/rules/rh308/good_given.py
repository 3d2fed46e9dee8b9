import asyncio
import threading

READY = asyncio.Event()


async def announce():
    READY.set()
    await READY.wait()


def one_thread():
    threading.Thread(target=lambda: asyncio.run(announce())).start()


async def write(rows, lock):
    async with lock:
        await rows.write()


def export(tables):
    for rows in tables:
        asyncio.run(write(rows, asyncio.Lock()))


class Limited:
    def __init__(self):
        self.gate = asyncio.Semaphore(4)

    async def _call(self, path):
        async with self.gate:
            return await path.get()

    def fetch(self, path):
        return asyncio.run(self._call(path))


def fetch_each(paths):
    for path in paths:
        Limited().fetch(path)


def fetch_one(path, other):
    limited = Limited()
    if path:
        return limited.fetch(path)
    else:
        return limited.fetch(other)
