import asyncio


class Throttle:
    def __init__(self):
        self._slots = asyncio.Semaphore(2)

    async def run(self, job):
        await self._slots.acquire()  # RH
        result = await job()
        self._slots.release()
        return result
