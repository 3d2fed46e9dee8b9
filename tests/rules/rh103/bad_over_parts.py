import asyncio
import json


class World:
    def __init__(self):
        self.players = {}

    def enter(self, name, writer):
        self.players[name] = writer

    def leave(self, name):
        self.players.pop(name, None)


class Game:
    def __init__(self):
        self.world = World()

    async def connected(self, reader, writer):
        name = await reader.readline()
        self.world.enter(name, writer)
        await reader.read()
        self.world.leave(name)

    async def publish(self):
        for writer in self.world.players.values():  # RH
            writer.write(json.dumps({}).encode())
            await writer.drain()

    async def clock(self):
        while True:
            await self.publish()


async def main():
    game = Game()
    async with await asyncio.start_server(game.connected, port=7000):
        await game.clock()


asyncio.run(main())
