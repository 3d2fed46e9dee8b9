"""A callback adds to what was there before the task began, which another one may have changed."""

import asyncio


class Sum:
    def __init__(self) -> None:
        self.total = 0

    async def _measure(self) -> int:
        await asyncio.sleep(0)
        return 1

    async def add(self) -> None:
        before = self.total

        def note(task: asyncio.Task[int]) -> None:
            self.total = before + task.result()

        task = asyncio.create_task(self._measure())
        task.add_done_callback(note)
        await task


setup = Sum
WORKERS = [Sum.add, Sum.add]


def invariant(total: Sum) -> bool:
    return total.total == 2
