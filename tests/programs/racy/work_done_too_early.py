"""A worker says that a job is done before its result is there."""

import queue
import threading


class Batch:
    def __init__(self) -> None:
        self.jobs: queue.Queue[int] = queue.Queue()
        self.results: list[int] = []

    def work(self) -> None:
        while True:
            job = self.jobs.get()
            self.jobs.task_done()
            self.results.append(job * 2)

    def run(self) -> list[int]:
        threading.Thread(target=self.work, daemon=True).start()
        for job in (1, 2, 3):
            self.jobs.put(job)
        self.jobs.join()
        return list(self.results)


setup = Batch
WORKERS = [Batch.run]
