"""Results are collected in the order in which they come, by one thread."""

from concurrent.futures import ThreadPoolExecutor, as_completed


class Collector:
    def __init__(self) -> None:
        self.results: dict[int, int] = {}

    def run(self) -> int:
        with ThreadPoolExecutor(max_workers=2) as pool:
            jobs = {pool.submit(pow, key, 2): key for key in (2, 3)}
            for job in as_completed(jobs):
                self.results[jobs[job]] = job.result()
        return sum(self.results.values())


setup = Collector
WORKERS = [Collector.run]
