"""A function that runs in a thread of the loop's executor, next to another."""

import asyncio


class Meter:
    def __init__(self) -> None:
        self.count = 0

    def _measure(self) -> None:
        self.count += 1

    async def measure(self) -> None:
        await asyncio.to_thread(self._measure)


setup = Meter
WORKERS = [Meter.measure, Meter.measure]


def invariant(meter: Meter) -> bool:
    return meter.count == 2
