import asyncio

from aiohttp import web


class Pool:
    """Guards the field elsewhere."""

    def __init__(self):
        self._lock = asyncio.Lock()
        self._connection = None

    async def connection(self):
        if self._connection is None:
            self._connection = await open_connection()  # RH
        return self._connection

    async def replace(self):
        async with self._lock:
            self._connection = await open_connection()


class Early:
    """The way out is early, the act at the end."""

    def __init__(self):
        self._token = None

    async def token(self):
        if self._token is not None:
            return self._token
        fresh = await fetch_token()
        self._token = fresh  # RH
        return fresh


EARLY = Early()


async def handle(request):
    return await EARLY.token()


def routes(app):
    app.router.add_get("/", handle)


class Base:
    def __init__(self):
        self.free = 3

    async def take(self):
        if self.free > 0:
            await self.prepare()
            self.free -= 1  # RH

    async def prepare(self):
        await asyncio.sleep(0)


class Derived(Base):
    async def many(self):
        async with asyncio.TaskGroup() as group:
            for _ in range(3):
                group.create_task(self.take())


class Checked:
    """The lock is taken too late."""

    def __init__(self):
        self._lock = asyncio.Lock()
        self._session = None

    async def session(self):
        if self._session is None:
            async with self._lock:
                self._session = await open_connection()  # RH
        return self._session

    async def use(self):
        alias = self
        await asyncio.gather(alias.session(), alias.session())


_cache = None


async def settings():
    global _cache
    if not _cache:
        value = await load()
        _cache = value  # RH
    return _cache
