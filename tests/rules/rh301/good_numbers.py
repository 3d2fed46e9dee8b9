import asyncio


class Sender:
    def __init__(self, stream):
        self._stream = stream
        self._sequence = 0
        self._tries = 0
        self._count = 0
        self._turn = asyncio.Lock()

    async def raised_first(self, message):
        number = self._sequence
        self._sequence += 1
        await self._stream.write((number, message))

    async def again(self):
        await asyncio.sleep(self._count)
        self._count += 1

    async def in_turn(self, message):
        async with self._turn:
            await self._stream.write((self._tries, message))
            self._tries += 1


class Listing:
    def __init__(self):
        self.items = []
        self.names = {}

    async def show(self, question):
        found = await search(question)
        self.items.clear()
        self.items.extend(found)

    async def name(self, question):
        """Each name has one place."""
        self.names.clear()
        for item in await search(question):
            self.names[item.name] = item

    def text(self):
        return ", ".join((*self.items, *self.names))
