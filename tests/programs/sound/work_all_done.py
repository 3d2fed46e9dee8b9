"""A worker in the background says what is done, and whoever waits for all sees all of it."""

import queue
import threading


class Batch:
    def __init__(self) -> None:
        self.jobs: queue.Queue[int] = queue.Queue()
        self.results: list[int] = []

    def work(self) -> None:
        while True:
            job = self.jobs.get()
            self.results.append(job * 2)
            self.jobs.task_done()

    def run(self) -> list[int]:
        threading.Thread(target=self.work, daemon=True).start()
        for job in (1, 2, 3):
            self.jobs.put(job)
        self.jobs.join()
        return list(self.results)


setup = Batch
WORKERS = [Batch.run]
