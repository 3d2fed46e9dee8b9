"""Two coroutines take two locks in opposite order."""

import asyncio


class Pair:
    def __init__(self) -> None:
        self.left = asyncio.Lock()
        self.right = asyncio.Lock()

    async def one_way(self) -> None:
        async with self.left:
            await asyncio.sleep(0)
            async with self.right:
                pass

    async def other_way(self) -> None:
        async with self.right:
            await asyncio.sleep(0)
            async with self.left:
                pass


setup = Pair
WORKERS = [Pair.one_way, Pair.other_way]
