"""The answer waits in a local variable, and is used after the await like the question itself."""

import asyncio


class Store:
    def __init__(self, connect):
        self._connect = connect
        self._connection = None

    async def connection(self):
        is_missing = self._connection is None
        if is_missing:
            self._connection = await self._connect()  # RH
        return self._connection


async def main(connect):
    store = Store(connect)
    await asyncio.gather(store.connection(), store.connection())
