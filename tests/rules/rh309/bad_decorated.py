import asyncio
import functools
import threading


def syncify(function):
    @functools.wraps(function)
    def wrapper(*args):
        loop = asyncio.get_event_loop()  # RH
        return loop.run_until_complete(function(*args))

    return wrapper


@syncify
async def refresh(feed):
    print(feed)


def main(feeds):
    for feed in feeds:
        threading.Thread(target=refresh, args=(feed,)).start()
