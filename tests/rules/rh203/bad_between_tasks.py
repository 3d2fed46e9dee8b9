import asyncio


class Wallet:
    def __init__(self):
        self._lock = asyncio.Lock()
        self.coins = 0

    async def add(self, number):
        async with self._lock:
            self.coins += number
            await self._trim()  # RH

    async def _trim(self):
        async with self._lock:
            self.coins = min(self.coins, 10)
