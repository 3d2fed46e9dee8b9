import asyncio


class Channel:
    def __init__(self):
        self.lock = asyncio.Lock()
        self.items = asyncio.Queue()
        self.ready = asyncio.Event()
        self.changed = asyncio.Condition()

    async def bounded(self):
        async with self.lock:
            return await asyncio.wait_for(self.items.get(), 1)

    async def send(self, item):
        async with self.lock:
            await self.items.put(item)

    async def readers_take_turns(self):
        async with self.lock:
            await self.ready.wait()

    def signal(self):
        self.ready.set()

    async def condition(self):
        async with self.changed:
            await self.changed.wait()

    async def notify(self):
        async with self.changed:
            self.changed.notify_all()

    async def from_outside(self, queue):
        async with self.lock:
            return await queue.get()
