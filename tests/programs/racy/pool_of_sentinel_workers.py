"""Two workers take jobs from a queue and add up what they find without a lock."""

import queue
import threading


class Crew:
    def __init__(self) -> None:
        self.jobs: queue.Queue[int | None] = queue.Queue()
        self.total = 0

    def work(self) -> None:
        while (job := self.jobs.get()) is not None:
            before = self.total
            self.total = before + job

    def run(self) -> int:
        workers = [threading.Thread(target=self.work) for _ in range(2)]
        for worker in workers:
            worker.start()
        for job in (1, 2, None, None):
            self.jobs.put(job)
        for worker in workers:
            worker.join()
        return self.total


setup = Crew
WORKERS = [Crew.run]
