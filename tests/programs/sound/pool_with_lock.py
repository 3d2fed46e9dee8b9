"""Jobs of a pool count under a lock, and the results come back in order."""

import threading
from concurrent.futures import ThreadPoolExecutor


class Crawler:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.seen = 0

    def visit(self, page: int) -> int:
        with self.lock:
            self.seen += 1
        return page * 10

    def run(self) -> list[int]:
        with ThreadPoolExecutor(max_workers=2) as pool:
            futures = [pool.submit(self.visit, page) for page in range(2)]
            return [future.result() for future in futures]


setup = Crawler
WORKERS = [Crawler.run]


def invariant(crawler: Crawler) -> bool:
    return crawler.seen == 2
