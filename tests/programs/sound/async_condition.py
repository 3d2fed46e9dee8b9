"""A condition of asyncio whose waiter looks before it waits."""

import asyncio


class Stock:
    def __init__(self) -> None:
        self.changed = asyncio.Condition()
        self.items = 0

    async def deliver(self) -> None:
        async with self.changed:
            self.items += 1
            self.changed.notify()

    async def sell(self) -> int:
        async with self.changed:
            await self.changed.wait_for(lambda: self.items > 0)
            self.items -= 1
            return self.items


setup = Stock
WORKERS = [Stock.sell, Stock.deliver]
