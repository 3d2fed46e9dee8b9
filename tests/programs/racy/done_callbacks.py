"""Callbacks of futures run on the threads of the pool."""

from concurrent.futures import Future, ThreadPoolExecutor


class Batch:
    def __init__(self) -> None:
        self.done = 0

    def note(self, future: Future[int]) -> None:
        self.done += 1

    def run(self) -> None:
        with ThreadPoolExecutor(2) as pool:
            for _ in range(2):
                pool.submit(int).add_done_callback(self.note)


setup = Batch
WORKERS = [Batch.run]


def invariant(batch: Batch) -> bool:
    return batch.done == 2
