"""Jobs of a pool count without a lock."""

from concurrent.futures import ThreadPoolExecutor


class Crawler:
    def __init__(self) -> None:
        self.seen = 0

    def visit(self, page: int) -> None:
        self.seen += 1

    def run(self) -> None:
        with ThreadPoolExecutor(max_workers=2) as pool:
            list(pool.map(self.visit, range(2)))


setup = Crawler
WORKERS = [Crawler.run]


def invariant(crawler: Crawler) -> bool:
    return crawler.seen == 2
