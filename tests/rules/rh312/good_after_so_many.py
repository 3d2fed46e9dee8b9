import asyncio


class Asked:
    """What was caught decides."""

    async def reconnect(self):
        while True:
            try:
                return await self.connect()
            except BaseException as error:
                if not isinstance(error, OSError):
                    raise
                await asyncio.sleep(1)

    async def connect(self):
        return await dial()


class Ended:
    """The object says when it is over."""

    async def reconnect(self):
        while True:
            try:
                return await self.connect()
            except BaseException:
                if self.closed:
                    raise
                await asyncio.sleep(1)

    async def connect(self):
        return await dial()


class Always:
    async def reconnect(self):
        while True:
            try:
                return await self.connect()
            except BaseException as error:
                print(error)
                raise

    async def connect(self):
        return await dial()


class Borrower:
    def __init__(self, pool):
        self._pool = pool

    async def ask(self, question):
        link = await self._pool.acquire()
        try:
            return await link.ask(question)
        finally:
            self._pool.release(link)
