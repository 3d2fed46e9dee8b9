"""Whoever takes one item and goes leaves the task running."""

import asyncio


async def merged(queue, fill):
    filling = asyncio.create_task(fill(queue))
    while (item := await queue.get()) is not None:
        yield item  # RH
    filling.cancel()
