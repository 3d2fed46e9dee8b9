"""Threads hand what they have measured back to the loop, which alone counts."""

import asyncio
import threading


class Meter:
    def __init__(self) -> None:
        self.count = 0

    async def measure(self) -> None:
        loop, handed = asyncio.get_running_loop(), asyncio.Event()

        def count() -> None:
            self.count += 1
            handed.set()

        threading.Thread(target=loop.call_soon_threadsafe, args=(count,)).start()
        self.count += 1
        await handed.wait()


setup = Meter
WORKERS = [Meter.measure]


def invariant(meter: Meter) -> bool:
    return meter.count == 2
