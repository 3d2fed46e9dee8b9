"""The queue that is implemented in C, between a thread of the program's own and its starter."""

import queue
import threading


class Pipe:
    def __init__(self) -> None:
        self.items: queue.SimpleQueue[int] = queue.SimpleQueue()
        self.sum = 0

    def consume(self) -> None:
        while (item := self.items.get()) >= 0:
            self.sum += item

    def run(self) -> int:
        consumer = threading.Thread(target=self.consume, daemon=True)
        consumer.start()
        for item in (1, 2, -1):
            self.items.put(item)
        consumer.join()
        return self.sum


setup = Pipe
WORKERS = [Pipe.run]


def invariant(pipe: Pipe) -> bool:
    return pipe.sum == 3
