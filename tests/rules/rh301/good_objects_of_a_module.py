import asyncio
import threading


class Context:
    def __init__(self):
        self.request_id = None
        self.lock = asyncio.Lock()
        self.own = threading.local()


context = Context()


async def handle(request):
    async with context.lock:
        context.request_id = request.id
        body = await request.json()
        return {"id": context.request_id, "echo": body}


async def answer(request):
    context = Context()
    context.request_id = request.id
    body = await request.json()
    return {"id": context.request_id, "echo": body}


async def serve(requests):
    await asyncio.gather(*[handle(request) for request in requests], *[answer(request) for request in requests])
