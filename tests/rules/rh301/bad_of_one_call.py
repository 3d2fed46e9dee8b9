import asyncio

import trio
from aiohttp import web


class Api:
    def __init__(self, store):
        self.store = store
        self.user = None

    async def handle(self, request):
        self.user = request.headers["X-User"]
        body = await request.json()
        return await self.store.put(self.user, body)  # RH


class Worker:
    def __init__(self, queue):
        self.queue = queue
        self.current = None

    async def run(self):
        while True:
            job = await self.queue.get()
            self.current = job
            await job.prepare()
            await self.current.finish()  # RH


class Server:
    def __init__(self, store):
        self.store = store
        self.number = 0

    async def handle(self, stream):
        number = self.number
        await self.store.save(number)
        self.number = number + 1  # RH


def routes(app, store):
    api = Api(store)
    app.router.add_post("/", api.handle)
    return web.Response


async def work(queue):
    worker = Worker(queue)
    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(worker.run())


async def serve(store):
    await trio.serve_tcp(Server(store).handle, 9999)


async def serve_one(store):
    server = Server(store)
    await trio.serve_tcp(server.handle, 9998)
