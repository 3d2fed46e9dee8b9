import asyncio


class Purse:
    """The look is left to a helper, and no less old after the await."""

    def __init__(self):
        self.coins = 10

    def _has(self, wanted):
        return self.coins >= wanted

    async def pay(self, wanted):
        if self._has(wanted):
            await self.note(wanted)
            self.coins -= wanted  # RH

    async def main(self):
        await asyncio.gather(self.pay(7), self.pay(8))
