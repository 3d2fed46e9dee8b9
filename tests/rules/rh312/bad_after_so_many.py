import asyncio


class Client:
    async def reconnect(self):
        tries = 1
        while True:
            try:
                return await self.connect()
            except BaseException as error:  # RH
                print(f"failed: {error!r}")
                if tries > 5:
                    raise ConnectionError("too many tries")
                await asyncio.sleep(tries)
                tries += 1

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
            await link.disconnect()  # RH
            self._pool.release(link)
