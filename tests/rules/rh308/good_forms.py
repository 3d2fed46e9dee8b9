import asyncio
import threading

READY = asyncio.Event()


async def wait():
    await READY.wait()


async def own():
    ready = asyncio.Event()
    READY = ready
    await READY.wait()


async def unrelated():
    await asyncio.sleep(0)


def command_one():
    asyncio.run(wait())


def command_two():
    asyncio.run(wait())


def many():
    for _ in range(3):
        asyncio.run(own())
        asyncio.run(unrelated())
