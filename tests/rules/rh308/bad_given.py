import asyncio
import functools
import threading
from concurrent.futures import ThreadPoolExecutor

WRITING = asyncio.Lock()


async def write(rows, lock):
    async with lock:
        await rows.write()


def export(rows):
    asyncio.run(write(rows, WRITING))  # RH


def export_all(tables):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(export, tables))


def throttled(limit):
    gate = asyncio.Semaphore(limit)

    def decorate(function):
        @functools.wraps(function)
        async def wrapper(*args):
            async with gate:  # RH
                return await function(*args)

        return wrapper

    return decorate


@throttled(3)
async def locate(address):
    return await address.find()


def locate_all(addresses):
    for address in addresses:
        asyncio.run(locate(address))


class Limited:
    def __init__(self):
        self.gate = asyncio.Semaphore(4)

    async def _call(self, path):
        async with self.gate:  # RH
            return await path.get()

    def fetch(self, path):
        return asyncio.run(self._call(path))


def fetch_both(one, other):
    limited = Limited()
    return limited.fetch(one), limited.fetch(other)


class Job:
    done = asyncio.Event()

    async def _main(self):
        await self.done.wait()  # RH

    def run(self):
        asyncio.run(self._main())


def start(count):
    for _ in range(count):
        threading.Thread(target=Job().run).start()


async def send(message, lock=asyncio.Lock()):
    async with lock:  # RH
        await message.send()


def send_all(messages):
    for message in messages:
        asyncio.run(send(message))
