"""What the loop calls keeps the task."""

import asyncio

tasks = set()


def wake(loop, work):
    loop.call_soon_threadsafe(lambda: tasks.add(asyncio.ensure_future(work())))


def begin(loop, work):
    return [make() for make in (lambda: loop.create_task(work()),)]


async def main():
    loop = asyncio.get_running_loop()
    wake(loop, main)
    await asyncio.gather(*begin(loop, main))
