import asyncio
import threading

READY = asyncio.Event()
JOBS = asyncio.Queue()


async def wait():
    await READY.wait()  # RH


async def main():
    await helper()


async def helper():
    await JOBS.get()  # RH


def twice():
    asyncio.run(wait())
    asyncio.run(wait())


def again_and_again():
    while True:
        asyncio.run(main())
