"""A derived queue counts where its lock is held, and looks into itself under that lock."""

import queue


class Counting(queue.Queue[int]):
    def _init(self, maxsize: int) -> None:
        super()._init(maxsize)
        self.total = 0

    def _put(self, item: int) -> None:
        self.total += 1
        self.queue.append(item)

    def count(self) -> int:
        with self.mutex:
            return len(self.queue)


setup = Counting


def put(counting: Counting) -> None:
    counting.put(1)


WORKERS = [put, put, Counting.count]
