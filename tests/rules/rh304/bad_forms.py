import asyncio

LOCK = asyncio.Lock()
READY = asyncio.Event()


async def wait_until_ready():
    async with LOCK:
        await READY.wait()  # RH


async def announce():
    async with LOCK:
        _tell()
        READY.set()


def _tell():
    print("ready")


class Channel:
    def __init__(self):
        self.lock = asyncio.Lock()
        self.items = asyncio.Queue()

    async def receive(self):
        async with self.lock:
            return await self._next()

    async def _next(self):
        return await self.items.get()  # RH

    async def send(self, item):
        async with self.lock:
            await self.items.put(item)
