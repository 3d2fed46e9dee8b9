import asyncio


class Stream:
    def __init__(self, queue):
        self._queue = queue
        self._task = asyncio.create_task(self._pump())

    async def _pump(self):
        await asyncio.sleep(1)

    def _cleanup(self):
        self._task.cancel()

    def _stop_counting(self):
        self._count = 0

    async def events(self):
        try:
            while True:
                item = await self._queue.get()
                if item is None:
                    break
                yield item
        finally:
            self._cleanup()

    async def counted(self):
        yield 1
        self._stop_counting()

    async def parts(self):
        yield 1
        self._cleanup()
        yield 2


class Portal:
    def __init__(self, manager, done):
        self._manager = manager
        self._done = done

    async def run(self):
        await self._manager.__aenter__()
        try:
            await self._done.wait()
        except BaseException as error:
            if not await self._manager.__aexit__(type(error), error, None):
                raise
            return None
        return await self._manager.__aexit__(None, None, None)

    async def leave(self):
        return await self._manager.__aexit__(None, None, None)


class Checkout:
    def __init__(self, pool):
        self._pool = pool

    async def enter(self):
        try:
            await self._pool.__aenter__()
        except BaseException:
            await self.report()  # nothing was entered
            raise

    async def both(self):
        await self.enter()
        await self._pool.__aexit__(None, None, None)

    async def by_hand(self):
        try:
            await self._pool.__aenter__()
        except BaseException:
            await self.report()
            raise
        await self._pool.__aexit__(None, None, None)
