import asyncio
import threading


class Throttle:
    lock = asyncio.Lock()

    async def call(self, function):
        async with self.lock:  # RH
            return await function()


throttle = Throttle()


def worker(function):
    asyncio.run(throttle.call(function))


def start(functions):
    for function in functions:
        threading.Thread(target=worker, args=(function,)).start()
