import asyncio


class Game:
    def __init__(self):
        self.points = 0


async def play(game, judge):
    points = game.points
    won = await judge.ask()
    game.points = points + won  # RH


async def main(judges):
    game = Game()
    await asyncio.gather(*(play(game, judge) for judge in judges))
