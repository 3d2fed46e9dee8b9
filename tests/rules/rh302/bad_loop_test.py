"""There was room when the loop ended; the place is taken after another await."""

import asyncio


class Limit:
    def __init__(self):
        self._active = 0

    async def run(self, job):
        while self._active >= 5:
            await asyncio.sleep(0.1)
        await self.prepare(job)
        self._active += 1  # RH
        try:
            await job()
        finally:
            self._active -= 1


async def main(jobs):
    limit = Limit()
    await asyncio.gather(*[limit.run(job) for job in jobs])
