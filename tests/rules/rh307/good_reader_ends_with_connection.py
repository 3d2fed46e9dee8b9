import asyncio


class Reader:
    """The loop ends by itself when the connection does."""

    def __init__(self, connection):
        self.connection = connection

    async def __aenter__(self):
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *exception):
        await self.connection.close()

    async def _read(self):
        while line := await self.connection.readline():
            print(line)
