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


async def one_task_for_each_item(queue, stopped):
    while True:
        getting = asyncio.create_task(queue.get())
        done, _ = await asyncio.wait((getting, stopped), return_when=asyncio.FIRST_COMPLETED)
        if getting in done:
            yield getting.result()
        else:
            getting.cancel()
            return
