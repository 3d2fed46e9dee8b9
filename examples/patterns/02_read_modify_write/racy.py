"""A counter that loses counts: two threads read the same total and both write it back plus one."""

from concurrent.futures import ThreadPoolExecutor


class RequestCounter:
    """Counts the requests that all worker threads handled."""

    def __init__(self) -> None:
        self.handled = 0

    def handle(self, request: str) -> str:
        self.handled += 1  # race: RH102
        return request.upper()


def main() -> None:
    counter = RequestCounter()
    with ThreadPoolExecutor(max_workers=4) as pool:
        answers = list(pool.map(counter.handle, ["ping", "list", "quit"]))
    print(answers, counter.handled)


if __name__ == "__main__":
    main()
