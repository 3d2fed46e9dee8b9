import asyncio


class Stream:
    async def __aenter__(self):
        self._pump = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *exception):  # RH
        self.closed = True

    async def _run(self):
        while True:
            await asyncio.sleep(1)
