"""A coroutine waits for an event that may have been set before it was cleared."""

import asyncio


class Signal:
    def __init__(self) -> None:
        self.event = asyncio.Event()

    async def announce(self) -> None:
        self.event.set()

    async def wait_for_news(self) -> None:
        self.event.clear()
        await self.event.wait()


setup = Signal
WORKERS = [Signal.announce, Signal.wait_for_news]


def invariant(signal: Signal) -> bool:
    return True
