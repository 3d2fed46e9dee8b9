"""The tasks of a group work on parts of their own."""

import asyncio


class Parts:
    def __init__(self) -> None:
        self.parts = {"a": 0, "b": 0}

    async def _fill(self, key: str) -> None:
        value = self.parts[key]
        await asyncio.sleep(0)
        self.parts[key] = value + 1

    async def fill(self) -> int:
        async with asyncio.TaskGroup() as group:
            for key in self.parts:
                group.create_task(self._fill(key))
        return sum(self.parts.values())


setup = Parts
WORKERS = [Parts.fill]


def invariant(parts: Parts) -> bool:
    return parts.parts == {"a": 1, "b": 1}
