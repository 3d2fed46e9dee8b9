"""What is gone over is a copy, or the server has other objects."""

import asyncio


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
        for writer in list(self.world.players.values()):
            await writer.drain()


class Replay:
    def __init__(self, world: World):
        self.world = world

    async def show(self):
        for writer in self.world.players.values():
            await writer.drain()


async def main():
    replay = Replay(World())
    await replay.show()
    game = Game()
    async with await asyncio.start_server(game.connected, port=7000):
        await game.publish()


asyncio.run(main())
