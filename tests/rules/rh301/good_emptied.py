"""The buffer is swapped before the first await; or what is given away is a copy that is taken out again."""

import asyncio


class Buffer:
    def __init__(self):
        self._rows = []

    async def add(self, row):
        self._rows.append(row)
        if len(self._rows) > 9:
            await self.flush()

    async def flush(self):
        rows, self._rows = self._rows, []
        await self._write(rows)

    async def _write(self, rows):
        await asyncio.sleep(0)
