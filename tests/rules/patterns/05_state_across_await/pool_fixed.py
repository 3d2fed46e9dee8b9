"""The place is taken before the connection is made."""

import asyncio


class Pool:
    def __init__(self, connect, limit):
        self._connect = connect
        self._limit = limit
        self._made = 0
        self._free = []

    async def acquire(self):
        if self._free:
            return self._free.pop()
        if self._made >= self._limit:
            raise RuntimeError("no connection left")
        self._made += 1
        return await self._connect()

    async def release(self, connection):
        self._free.append(connection)


async def warm(connect):
    pool = Pool(connect, 2)
    return await asyncio.gather(*(pool.acquire() for _ in range(3)))
