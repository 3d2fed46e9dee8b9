"""A task that was started begins before who started it goes on, so that it has something to clean up."""

import asyncio


class Cleaned:
    def __init__(self) -> None:
        self.cleaned = 0

    async def use(self) -> None:
        task = asyncio.create_task(self._hold())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    async def _hold(self) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            self.cleaned += 1


setup = Cleaned
WORKERS = [Cleaned.use, Cleaned.use]


def invariant(cleaned: Cleaned) -> bool:
    return cleaned.cleaned == 2
