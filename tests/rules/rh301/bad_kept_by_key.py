from aiohttp import web


class Purses:
    def __init__(self, database):
        self.database = database
        self.gold = {}

    async def spend(self, player, amount):
        left = self.gold.get(player, 0)
        await self.database.note(player, amount)
        self.gold[player] = left - amount  # RH


routes = web.RouteTableDef()


@routes.post("/spend/{player}")
async def spend(request):
    data = await request.json()
    await request.app["purses"].spend(data["player"], data["amount"])
    return web.json_response({})


def make_app(database):
    app = web.Application()
    app["purses"] = Purses(database)
    app.add_routes(routes)
    return app
