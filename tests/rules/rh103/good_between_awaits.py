import asyncio


class Room:
    def __init__(self):
        self.members = set()
        self.history = []
        self.lock = asyncio.Lock()
        self.names = {}

    async def join(self, member):
        async with self.lock:
            self.members.add(member)
        self.history.append(member)

    def rename(self, member, name):
        self.names[member] = name

    async def say(self, text):
        async with self.lock:
            for member in self.members:
                await member.send(text)

    async def copy(self, text):
        for member in tuple(self.members):
            await member.send(text)

    async def first(self, text):
        for member in self.names:
            if member.is_here:
                await member.send(text)
                break

    async def in_step(self):
        for name in self.names.values():
            print(name)
        await asyncio.sleep(0)

    async def replay(self):
        for entry in self.history:
            await entry.send()
