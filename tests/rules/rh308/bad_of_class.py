import asyncio


class Throttle:
    limit = asyncio.Semaphore(2)

    async def call(self, function):
        await self.limit.acquire()  # RH
        return await function()


def main(functions):
    throttle = Throttle()
    for function in functions:
        asyncio.run(throttle.call(function))
