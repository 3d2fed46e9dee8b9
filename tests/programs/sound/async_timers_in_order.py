"""Callbacks of one event loop come in the order of their times, whichever was asked for first."""

import asyncio


class Alarms:
    def __init__(self) -> None:
        self.rung: list[str] = []

    async def ring(self) -> None:
        loop = asyncio.get_running_loop()
        end = loop.create_future()
        loop.call_later(0.3, end.set_result, None)
        loop.call_later(0.1, self.rung.append, "first")
        loop.call_later(0.05, self.rung.append, "never").cancel()
        loop.call_later(0.2, self.rung.append, "second")
        await end


setup = Alarms
WORKERS = [Alarms.ring]


def invariant(alarms: Alarms) -> bool:
    return alarms.rung == ["first", "second"]
