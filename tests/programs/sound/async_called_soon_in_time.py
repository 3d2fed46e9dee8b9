"""What was asked to be called soon is called before the next turn of who asked for it."""

import asyncio


class Told:
    def __init__(self) -> None:
        self.told = 0
        self.missed = 0

    async def tell(self) -> None:
        heard: list[int] = []
        asyncio.get_running_loop().call_soon(heard.append, 1)
        await asyncio.sleep(0)
        if heard:
            self.told += 1
        else:
            self.missed += 1


setup = Told
WORKERS = [Told.tell, Told.tell]


def invariant(told: Told) -> bool:
    return told.missed == 0
