"""What is added while the rest is written goes with it when the buffer is emptied."""

import asyncio


class Buffer:
    def __init__(self):
        self._rows = []

    async def add(self, row):
        self._rows.append(row)
        if len(self._rows) > 9:
            await self.flush()

    async def flush(self):
        await self._write(self._rows)
        self._rows = []  # RH

    async def _write(self, rows):
        await asyncio.sleep(0)
