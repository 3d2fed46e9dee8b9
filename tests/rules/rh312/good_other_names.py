import asyncio
import contextlib

HANDLED = (ConnectionError, OSError)


async def tuple_of_the_module(chat):
    while True:
        try:
            await chat.receive()
        except HANDLED:
            print("again")


async def suppressed_once(queue):
    with contextlib.suppress(BaseException):
        await queue.get()


async def step(source):
    try:
        await source.read()
    except asyncio.CancelledError:
        return False
    return True


async def asks(source):
    while True:
        if not await step(source):
            break


async def last(source):
    try:
        await source.close()
    except asyncio.CancelledError:
        print("interrupted")


async def once(source):
    await last(source)
