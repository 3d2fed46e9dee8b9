"""Two coroutines go through one asynchronous generator, which can be at work for one of them only."""

import asyncio
from collections.abc import AsyncIterator


class Feed:
    def __init__(self) -> None:
        self.source = self.generate()
        self.seen: list[int] = []

    async def generate(self) -> AsyncIterator[int]:
        for number in range(2):
            await asyncio.sleep(0)
            yield number

    async def consume(self) -> None:
        async for number in self.source:
            self.seen.append(number)


setup = Feed
WORKERS = [Feed.consume, Feed.consume]
