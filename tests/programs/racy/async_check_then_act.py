"""Two coroutines both find that nothing is there yet, and both make it."""

import asyncio


class Pool:
    def __init__(self) -> None:
        self.connection: object | None = None
        self.opened = 0

    async def connect(self) -> None:
        if self.connection is None:
            await asyncio.sleep(0)
            self.connection = object()
            self.opened += 1


setup = Pool
WORKERS = [Pool.connect, Pool.connect]


def invariant(pool: Pool) -> bool:
    return pool.opened == 1
