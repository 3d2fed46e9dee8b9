import asyncio


class Limit:
    """The place is taken at once."""

    def __init__(self):
        self._active = 0

    async def run(self, job):
        while self._active >= 5:
            await asyncio.sleep(0.1)
        self._active += 1
        await self.prepare(job)
        try:
            await job()
        finally:
            self._active -= 1


class Again:
    """What is asked again after the await is new."""

    def __init__(self):
        self._active = 0

    async def run(self, job):
        while True:
            await self.prepare(job)
            if self._active < 5:
                break
        self._active += 1
        await job()


async def main(jobs):
    for limit in (Limit(), Again()):
        await asyncio.gather(*[limit.run(job) for job in jobs])
