import asyncio

SESSIONS = {}


async def session(user):
    return SESSIONS.get(user)


async def log_out(user):
    found = SESSIONS.pop(user, None)
    if found is not None:
        await found.close()


class Hub:
    def __init__(self):
        self._clients = set()
        self._turn = asyncio.Lock()
        self._names = {}

    async def broadcast(self, text):
        async with self._turn:
            for client in self._clients:
                await client.send(text)

    async def leave(self, client):
        async with self._turn:
            await client.close()
            self._clients.discard(client)

    async def rename(self, client, name):
        """What is closed is something else."""
        await self._names[name].stream.close()
        del self._names[client]

    async def name(self, name):
        return self._names.get(name)


class Nobody:
    """Nobody is given an entry."""

    def __init__(self):
        self._open = {}

    async def drop(self, name):
        await self._open[name].close()
        del self._open[name]
