import asyncio


class Game:
    def __init__(self):
        self.points = 0
        self.turn = asyncio.Lock()


async def late(game, judge):
    won = await judge.ask()
    game.points = game.points + won


async def locked(game, judge):
    async with game.turn:
        points = game.points
        game.points = points + await judge.ask()


async def alone(game, judge):
    points = game.points
    won = await judge.ask()
    game.points = points + won


async def main(judges):
    game = Game()
    await asyncio.gather(*(late(game, judge) for judge in judges))
    await asyncio.gather(*(locked(game, judge) for judge in judges))
    await asyncio.gather(*(alone(Game(), judge) for judge in judges))
    for judge in judges:
        own = Game()
        asyncio.create_task(alone(own, judge))
        await alone(game, judge)
