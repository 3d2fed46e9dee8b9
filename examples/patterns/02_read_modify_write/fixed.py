"""A counter that is exact: reading, adding and writing back happen under one lock."""

import threading
from concurrent.futures import ThreadPoolExecutor


class RequestCounter:
    """Counts the requests that all worker threads handled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.handled = 0

    def handle(self, request: str) -> str:
        with self._lock:
            self.handled += 1
        return request.upper()


def main() -> None:
    counter = RequestCounter()
    with ThreadPoolExecutor(max_workers=4) as pool:
        answers = list(pool.map(counter.handle, ["ping", "list", "quit"]))
    print(answers, counter.handled)


if __name__ == "__main__":
    main()
