"""A coroutine looks again and again, letting others go on in between, until a task of its loop is done."""

import asyncio


class Import:
    def __init__(self) -> None:
        self.rows: list[int] = []
        self.is_done = False
        self.total = 0

    async def _load(self) -> None:
        for number in (1, 2):
            await asyncio.sleep(0)
            self.rows.append(number)
        self.is_done = True

    async def run(self) -> None:
        loading = asyncio.create_task(self._load())
        while not self.is_done:  # noqa: ASYNC110 - a loop that only looks is the point
            await asyncio.sleep(0)
        self.total += sum(self.rows)
        await loading


def invariant(done: Import) -> bool:
    return done.total == 3


setup = Import
WORKERS = [Import.run]
