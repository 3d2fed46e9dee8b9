import asyncio
import threading


class Gate:
    _slots = asyncio.Semaphore(10)

    async def __aenter__(self):
        await self._slots.acquire()  # RH

    async def __aexit__(self, *error):
        self._slots.release()  # RH


class Copier(threading.Thread):
    def __init__(self, source):
        super().__init__()
        self.source = source

    async def _copy(self, item):
        async with Gate():
            await self.source.copy(item)

    async def _copy_all(self):
        await asyncio.gather(*(self._copy(item) for item in self.source.items))

    def run(self):
        asyncio.run(self._copy_all())


def main(sources):
    for source in sources:
        Copier(source).start()
