"""An ordinary function that runs its own event loop."""

import asyncio


class Importer:
    def __init__(self) -> None:
        self.rows = 0

    async def _load(self) -> None:
        rows = self.rows
        await asyncio.sleep(0.01)
        self.rows = rows + 1

    async def _load_all(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._load())
            group.create_task(self._load())

    def run(self) -> int:
        asyncio.run(self._load_all())
        return self.rows


setup = Importer
WORKERS = [Importer.run]


def invariant(importer: Importer) -> bool:
    return importer.rows == 2
