import asyncio


class Service:
    def start(self):
        self.task = asyncio.create_task(self.run())  # RH

    async def stop(self):
        self.task.cancel()


class Poller(Service):
    def __init__(self, source):
        self.source = source

    async def run(self):
        while True:
            await self.source.poll()
