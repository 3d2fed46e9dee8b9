import asyncio


class Sender:
    def __init__(self, stream):
        self._stream = stream
        self._sequence = 0

    async def send(self, message):
        await self._stream.write((self._sequence, message))
        self._sequence += 1  # RH


class Listing:
    def __init__(self):
        self.items = []

    async def show(self, question):
        self.items.clear()
        for item in await search(question):
            self.items.append(item)  # RH

    def text(self):
        return ", ".join(self.items)
