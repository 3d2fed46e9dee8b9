import asyncio
import time


def slow():
    time.sleep(1)


async def offloaded():
    await asyncio.to_thread(slow)
    await asyncio.get_running_loop().run_in_executor(None, slow)
    await asyncio.to_thread(lambda: slow())


async def gives_way():
    time.sleep(0)
    await asyncio.sleep(1)


async def defines():
    def inner():
        time.sleep(1)

    return inner


def plain():
    slow()


def lines():
    time.sleep(1)
    yield 1


async def makes_a_generator():
    return lines()
