"""Two workers take jobs from a queue until each finds the sign that there are no more."""

import queue
import threading


class Crew:
    def __init__(self) -> None:
        self.jobs: queue.Queue[int | None] = queue.Queue()
        self.lock = threading.Lock()
        self.total = 0

    def work(self) -> None:
        while (job := self.jobs.get()) is not None:
            with self.lock:
                self.total += job

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
