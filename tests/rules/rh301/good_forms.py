import asyncio


class Handler:
    def __init__(self):
        self.user = None
        self.total = 0
        self._lock = asyncio.Lock()

    async def local(self, request):
        user = request.user
        await asyncio.sleep(0)
        return user

    async def fresh(self, request):
        self.user = request.user
        await asyncio.sleep(0)
        self.user = request.user
        return self.user

    async def locked(self, request):
        async with self._lock:
            self.user = request.user
            await asyncio.sleep(0)
            return self.user

    async def add(self, amount):
        await asyncio.sleep(0)
        self.total += amount

    async def constant(self):
        self.total = 1
        await asyncio.sleep(0)
        return self.total

    async def all(self, requests):
        await asyncio.gather(*(self.local(request) for request in requests))
        await asyncio.gather(*(self.fresh(request) for request in requests))
        await asyncio.gather(*(self.locked(request) for request in requests))
        await asyncio.gather(*(self.add(1) for request in requests))
        await asyncio.gather(*(self.constant() for request in requests))


class Seen:
    def __init__(self):
        self.seen = set()

    async def load(self):
        self.seen |= await look_up()

    async def twice(self):
        await asyncio.gather(self.load(), self.load())


class Connection:
    """Every task has its own."""

    def __init__(self):
        self.peer = None

    async def __aenter__(self):
        self.peer = await asyncio.sleep(0)
        return self.peer

    async def __call__(self, peer):
        self.peer = peer
        await asyncio.sleep(0)
        return self.peer


async def one(peer):
    connection = Connection()
    await connection(peer)


async def main(peers):
    await asyncio.gather(*(one(peer) for peer in peers))
