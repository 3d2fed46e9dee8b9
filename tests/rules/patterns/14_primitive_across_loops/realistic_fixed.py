import asyncio
import threading


class Throttle:
    def __init__(self):
        self.lock = asyncio.Lock()

    async def call(self, function):
        async with self.lock:
            return await function()


async def run(function):
    await Throttle().call(function)


def worker(function):
    asyncio.run(run(function))


def start(functions):
    for function in functions:
        threading.Thread(target=worker, args=(function,)).start()
