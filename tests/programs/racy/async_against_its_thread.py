"""A coroutine counts while a thread that it has started does, and awaits nothing between reading and writing."""

import asyncio
import threading


class Meter:
    def __init__(self) -> None:
        self.count = 0

    def _measure(self) -> None:
        self.count += 1

    async def measure(self) -> None:
        threading.Thread(target=self._measure).start()
        self.count += 1
        await asyncio.sleep(0)


setup = Meter
WORKERS = [Meter.measure]


def invariant(meter: Meter) -> bool:
    return meter.count == 2
