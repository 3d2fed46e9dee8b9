from aiohttp import web


class Api:
    def __init__(self, store):
        self.store = store
        self.user = None

    async def show(self, request):
        self.user = await self.store.user(request.match_info["id"])
        posts = await self.store.posts(request)
        return web.json_response({"name": self.user.name, "posts": posts})  # RH


def app(store):
    api = Api(store)
    application = web.Application()
    application.router.add_get("/{id}", api.show)
    return application
