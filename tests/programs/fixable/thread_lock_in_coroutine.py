"""A lock between threads that is held across an await."""

import asyncio
import threading


class Registry:
    def __init__(self):
        self._lock = threading.Lock()
        self._names = {}

    async def _load(self, name):
        await asyncio.sleep(0)
        return name.upper()

    async def get(self, name):
        with self._lock:
            if name not in self._names:
                self._names[name] = await self._load(name)
            return self._names[name]


def check():
    async def main():
        registry = Registry()
        assert await registry.get("a") == "A"
        assert await registry.get("a") == "A"

    asyncio.run(main())
