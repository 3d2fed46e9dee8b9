import asyncio


class Claims:
    """Says so before it waits."""

    def __init__(self):
        self._starting = False
        self._server = None
        self._count = 0

    async def up(self):
        if self._starting:
            return
        self._starting = True
        await asyncio.sleep(0)
        self._starting = False

    async def ensure(self):
        if self._server is None and not self._starting:
            self._starting = True
            self._server = await start()

    async def twice(self):
        await asyncio.gather(self.up(), self.up(), self.ensure(), self.ensure())


class Locked:
    def __init__(self):
        self._lock = asyncio.Lock()
        self._session = None

    async def session(self):
        async with self._lock:
            if self._session is None:
                self._session = await start()
            return self._session

    async def looks_twice(self):
        if self._session is None:
            async with self._lock:
                if self._session is None:
                    self._session = await start()

    async def many(self):
        await asyncio.gather(*(self.session() for _ in range(3)), *(self.looks_twice() for _ in range(3)))


class Atomic:
    """No await between the look and the act."""

    def __init__(self):
        self._task = None
        self._free = 1

    async def start(self):
        if self._task is None:
            self._task = asyncio.create_task(start())
        await self._task

    async def take(self):
        while self._free < 1:
            await asyncio.sleep(0)
        self._free -= 1

    async def other_branch(self, flag):
        if self._free:
            if flag:
                await start()
            else:
                self._free = 0

    async def left_before(self):
        if self._free:
            await start()
            return
        self._free = 0

    async def many(self):
        await asyncio.gather(*(self.take() for _ in range(3)), self.start(), self.start())
        await asyncio.gather(*(self.other_branch(True) for _ in range(3)))
        await asyncio.gather(*(self.left_before() for _ in range(3)))


class Mutex:
    """A lock itself."""

    async def acquire(self):
        if self._owner is None:
            await self._inner.acquire()
            self._owner = asyncio.current_task()

    def release(self):
        self._owner = None

    async def both(self):
        await asyncio.gather(self.acquire(), self.acquire())


KNOWN = set()


async def learn(names):
    global KNOWN
    if not names - KNOWN:
        return
    KNOWN |= await look_up(names)


class PerTask:
    """Each task makes its own."""

    def __init__(self):
        self._connection = None

    async def __aenter__(self):
        if self._connection is None:
            self._connection = await start()
        return self


async def one():
    own = PerTask()
    await own.__aenter__()


async def main():
    await asyncio.gather(*(one() for _ in range(3)))
