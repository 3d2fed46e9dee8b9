"""A task that nobody holds, started by the loop itself."""

import asyncio


class Cache:
    """Refreshes what it holds."""

    def __init__(self):
        self.data = {}
        self.refreshed = 0

    async def refresh(self, key):
        await asyncio.sleep(0)
        self.data[key] = key * 2
        self.refreshed += 1

    async def get(self, key):
        if key not in self.data:
            loop = asyncio.get_running_loop()
            loop.create_task(self.refresh(key))
            return None
        return self.data[key]


def check():
    async def main():
        cache = Cache()
        assert await cache.get("a") is None
        for _ in range(5):
            await asyncio.sleep(0)
        assert await cache.get("a") == "aa"
        assert cache.refreshed == 1

    asyncio.run(main())
