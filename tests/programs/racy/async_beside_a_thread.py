"""Coroutines lose an update to each other, and a thread that has nothing to do with them runs beside."""

import asyncio


class Stock:
    def __init__(self) -> None:
        self.left = 2
        self.told = False

    def tell(self) -> None:
        self.told = True

    async def take(self) -> None:
        self.left -= 1

    async def take_slowly(self) -> None:
        left = self.left
        await asyncio.sleep(0)
        self.left = left - 1


setup = Stock
WORKERS = [Stock.tell, Stock.take, Stock.take_slowly]


def invariant(stock: Stock) -> bool:
    return stock.left == 0
