import asyncio


async def merged(queue, fill):
    filling = asyncio.create_task(fill(queue))
    try:
        while (item := await queue.get()) is not None:
            yield item
    finally:
        filling.cancel()


async def no_generator(queue, fill):
    filling = asyncio.create_task(fill(queue))
    items = [await queue.get()]
    filling.cancel()
    return items
