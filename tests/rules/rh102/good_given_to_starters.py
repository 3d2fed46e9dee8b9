"""Each thread is given an object of its own, by a function that starts one."""

import threading
from concurrent.futures import ThreadPoolExecutor


class Job:
    def __init__(self):
        self.parts = {}

    def run(self):
        self.parts[1] = self.parts.get(1, 0) + 1


class Step:
    def __init__(self):
        self.parts = {}

    def run(self):
        self.parts[1] = self.parts.get(1, 0) + 1


class Load:
    def __init__(self):
        self.parts = {}


def schedule(pool, job: Job):
    pool.submit(job.run)


def begin(pool, step):
    return pool.submit(step.run)


def work(load: Load):
    load.parts[1] = load.parts.get(1, 0) + 1


def carry(load: Load):
    threading.Thread(target=work, args=(load,)).start()


def main(paths):
    with ThreadPoolExecutor() as pool:
        for _ in paths:
            schedule(pool, Job())
            job = Job()
            schedule(pool, job)
        steps = [Step() for _ in range(3)]
        for future in [begin(pool, step) for step in steps]:
            future.result()
    carry(Load())
    carry(Load())
