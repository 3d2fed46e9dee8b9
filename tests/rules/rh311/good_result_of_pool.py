import asyncio
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor()


def parse(text):
    return text.split()


async def handle(text):
    future = pool.submit(parse, text)
    await asyncio.wrap_future(future)
    return future.result()


async def of_the_loop(text):
    task = asyncio.create_task(text.parse())
    await asyncio.wait([task])
    return task.result()
