"""A coroutine writes what it has waited for; another one may come before or after the whole of it."""

import asyncio


class Price:
    def __init__(self) -> None:
        self.base = 1
        self.total = 0

    async def _look_up(self) -> None:
        self.base = 7

    async def refresh(self) -> None:
        await asyncio.ensure_future(self._look_up())
        self.total = self.base * 2

    async def add_fee(self) -> None:
        self.total += 3


setup = Price
WORKERS = [Price.refresh, Price.add_fee]


def invariant(price: Price) -> bool:
    return price.total == 14
