import asyncio
import threading


class Limiter:
    def __init__(self):
        self._slots = asyncio.Semaphore(3)

    async def call(self, work):
        async with self._slots:
            return await work()


async def run(work):
    return await Limiter().call(work)


def serve(work):
    asyncio.run(run(work))


def main(works):
    for work in works:
        threading.Thread(target=serve, args=(work,)).start()
