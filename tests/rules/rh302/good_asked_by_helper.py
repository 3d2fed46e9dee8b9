import asyncio


class Purse:
    def __init__(self):
        self.coins = 10
        self._turn = asyncio.Lock()

    def _has(self, wanted):
        return self.coins >= wanted

    async def pay(self, wanted):
        await self.note(wanted)
        if self._has(wanted):
            self.coins -= wanted

    async def spend(self, wanted):
        if self._has(wanted):
            self.coins -= wanted
            await self.note(wanted)

    async def main(self):
        await asyncio.gather(self.pay(7), self.spend(8))
