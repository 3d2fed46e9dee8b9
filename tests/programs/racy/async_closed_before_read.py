"""A thread says that it is done before the event loop has come to what it has handed over."""

import asyncio
import threading


class Feed:
    def __init__(self) -> None:
        self.items: list[int] = []
        self.seen: list[int] = []
        self.closed = False

    def read(self, loop: asyncio.AbstractEventLoop) -> None:
        for number in range(2):
            loop.call_soon_threadsafe(self.items.append, number)
        self.closed = True

    async def follow(self) -> None:
        thread = threading.Thread(target=self.read, args=(asyncio.get_running_loop(),))
        thread.start()
        while not self.closed:  # noqa: ASYNC110 - a loop that only looks is the point
            await asyncio.sleep(0)
        self.seen = list(self.items)
        thread.join()


def invariant(feed: Feed) -> bool:
    return feed.seen == [0, 1]


setup = Feed
WORKERS = [Feed.follow]
