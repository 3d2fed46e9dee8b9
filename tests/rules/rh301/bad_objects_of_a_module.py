import asyncio


class Context:
    request_id = None


context = Context()


async def handle(request):
    context.request_id = request.id
    body = await request.json()
    return {"id": context.request_id, "echo": body}  # RH


async def serve(requests):
    await asyncio.gather(*[handle(request) for request in requests])
