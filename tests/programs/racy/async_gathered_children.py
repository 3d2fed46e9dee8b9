"""The coroutines that a method gathers race with each other."""

import asyncio


class Totals:
    def __init__(self) -> None:
        self.total = 0

    async def _fetch(self, amount: int) -> None:
        total = self.total
        await asyncio.sleep(0)
        self.total = total + amount

    async def fetch_all(self) -> None:
        await asyncio.gather(self._fetch(1), self._fetch(2))


setup = Totals
WORKERS = [Totals.fetch_all]


def invariant(totals: Totals) -> bool:
    return totals.total == 3
