"""A coroutine hands two jobs to threads that count without a lock."""

import asyncio


class Jobs:
    def __init__(self) -> None:
        self.done = 0

    def work(self) -> None:
        self.done += 1

    async def run(self) -> None:
        await asyncio.gather(asyncio.to_thread(self.work), asyncio.to_thread(self.work))


setup = Jobs
WORKERS = [Jobs.run]


def invariant(jobs: Jobs) -> bool:
    return jobs.done == 2
