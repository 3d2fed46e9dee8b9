"""A loop that awaits, over names that others add and take away meanwhile."""

import asyncio


class Board:
    def __init__(self):
        self.names = set()
        self.told = []

    async def join(self, name: str):
        self.names.add(name)

    async def leave(self, name: str):
        self.names.discard(name)

    async def tell(self, text: str):
        for name in self.names:  # everybody
            await self._send(name, text)

    async def _send(self, name: str, text: str):
        await asyncio.sleep(0)
        self.told.append((name, text))


def check():
    board = Board()
    asyncio.run(board.join("eve"))
    asyncio.run(board.tell("tea"))
    assert board.told == [("eve", "tea")]
