"""Coroutines leave slow work to threads, which count without a lock."""

import asyncio


class Store:
    def __init__(self) -> None:
        self.saved = 0

    def write(self) -> None:
        before = self.saved
        self.saved = before + 1

    async def save(self) -> None:
        await asyncio.to_thread(self.write)


setup = Store
WORKERS = [Store.save, Store.save]
