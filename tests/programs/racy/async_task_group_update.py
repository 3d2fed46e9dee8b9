"""Children of a task group that read, sleep and write."""

import asyncio


class Basket:
    def __init__(self) -> None:
        self.eggs = 0

    async def lay(self) -> None:
        eggs = self.eggs
        await asyncio.sleep(0.1)
        self.eggs = eggs + 1

    async def collect(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self.lay())
            group.create_task(self.lay())


setup = Basket
WORKERS = [Basket.collect]


def invariant(basket: Basket) -> bool:
    return basket.eggs == 2
