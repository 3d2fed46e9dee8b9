"""All workers are made with the same table, and count in it."""

import queue
import threading


class Worker(threading.Thread):
    def __init__(self, jobs, results):
        super().__init__(daemon=True)
        self.jobs = jobs
        self.results = results

    def run(self):
        while (job := self.jobs.get()) is not None:
            self.results["done"] += 1  # RH
            job()


def work(items):
    jobs = queue.Queue()
    results = {"done": 0}
    workers = [Worker(jobs, results) for _ in range(4)]
    for worker in workers:
        worker.start()
    for item in [*items, *[None] * 4]:
        jobs.put(item)
    return results
