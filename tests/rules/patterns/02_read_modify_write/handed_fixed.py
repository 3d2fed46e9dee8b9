"""All workers are made with the same table and the same lock."""

import queue
import threading


class Worker(threading.Thread):
    def __init__(self, jobs, results, lock):
        super().__init__(daemon=True)
        self.jobs = jobs
        self.results = results
        self.lock = lock

    def run(self):
        while (job := self.jobs.get()) is not None:
            with self.lock:
                self.results["done"] += 1
            job()


def work(items):
    jobs = queue.Queue()
    results = {"done": 0}
    lock = threading.Lock()
    workers = [Worker(jobs, results, lock) for _ in range(4)]
    for worker in workers:
        worker.start()
    for item in [*items, *[None] * 4]:
        jobs.put(item)
    return results
