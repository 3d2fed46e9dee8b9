import asyncio
import threading


class Limiter:
    def __init__(self):
        self._slots = asyncio.Semaphore(3)

    async def call(self, work):
        async with self._slots:  # RH
            return await work()


limiter = Limiter()


def serve(work):
    asyncio.run(limiter.call(work))


def main(works):
    for work in works:
        threading.Thread(target=serve, args=(work,)).start()
