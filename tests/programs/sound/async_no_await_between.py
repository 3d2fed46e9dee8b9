"""Nothing can come between two statements without an await."""

import asyncio


class Counter:
    def __init__(self) -> None:
        self.value = 0

    async def increment(self) -> None:
        await asyncio.sleep(0)
        value = self.value
        self.value = value + 1
        await asyncio.sleep(0)


setup = Counter
WORKERS = [Counter.increment, Counter.increment]


def invariant(counter: Counter) -> bool:
    return counter.value == 2
