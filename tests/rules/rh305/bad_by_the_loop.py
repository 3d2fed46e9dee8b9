"""The loop calls what starts the task, and throws away what it is given back."""

import asyncio


def wake(loop, work):
    loop.call_soon_threadsafe(lambda: asyncio.ensure_future(work()))  # RH


def wake_later(loop, work):
    loop.call_later(1, asyncio.create_task, work())  # RH


async def main():
    loop = asyncio.get_running_loop()
    wake(loop, main)
    wake_later(loop, main)
