"""A queue of asyncio, whoever comes first."""

import asyncio


class Channel:
    def __init__(self) -> None:
        self.queue: asyncio.Queue[int] = asyncio.Queue(maxsize=1)

    async def send(self) -> None:
        await self.queue.put(1)
        await self.queue.put(2)

    async def receive(self) -> int:
        return await self.queue.get() + await self.queue.get()


setup = Channel
WORKERS = [Channel.send, Channel.receive]
