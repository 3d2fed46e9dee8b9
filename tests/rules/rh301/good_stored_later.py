import asyncio

TOTALS = {"bytes": 0, "calls": 0}


class Service:
    def __init__(self, source):
        self.source = source
        self.turn = asyncio.Lock()
        self.level = 0
        self.state = "idle"

    def write(self, value):
        self.level = value

    def write_if(self, seen, value):
        if self.level == seen:
            self.level = value

    def move(self, before, after):
        self.state = after
        print(before)

    async def reads_late(self):
        delta = await self.source.read()
        level = self.level
        self.write(level + delta)

    async def locked(self):
        async with self.turn:
            level = self.level
            delta = await self.source.read()
            self.write(level + delta)

    async def compares(self):
        level = self.level
        delta = await self.source.read()
        self.write_if(level, level + delta)

    async def tells_of_the_old_one(self, after):
        before = self.state
        await self.source.read()
        self.move(before, after)

    async def stores_first(self):
        number = self.level + 1
        setattr(self, "level", number)
        await self.source.reserve(number)


async def another_item(source):
    size = TOTALS["bytes"]
    await source.read()
    TOTALS.update(calls=size)


async def main(source):
    service = Service(source)
    for _ in range(2):
        asyncio.create_task(service.reads_late())
        asyncio.create_task(service.locked())
        asyncio.create_task(service.compares())
        asyncio.create_task(service.tells_of_the_old_one("busy"))
        asyncio.create_task(service.stores_first())
        asyncio.create_task(another_item(source))
