"""A queue is looked into without its lock: what comes out may be something else."""

import queue


class Peekable(queue.Queue[int]):
    def peek(self) -> int:
        return self.queue[0]


class Feed:
    def __init__(self) -> None:
        self.queue = Peekable()
        self.queue.put(1)
        self.queue.put(2)

    def take(self) -> bool:
        return self.queue.peek() == self.queue.get()


setup = Feed
WORKERS = [Feed.take, Feed.take]
