"""A worker that asks for "the" loop, in a thread that has none."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


async def fetch(number: int):
    await asyncio.sleep(0)
    return number * 2


def worker(number: int):
    loop = asyncio.get_event_loop()
    return loop.run_until_complete(fetch(number))


def main():
    with ThreadPoolExecutor(max_workers=2) as pool:
        print(list(pool.map(worker, [1, 2])))
