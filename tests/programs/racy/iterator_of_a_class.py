"""Two tasks take the next one of an iterator that counts by itself; the workers are the built-in `next`."""


class Numbers:
    def __init__(self) -> None:
        self.last = 0

    def __iter__(self) -> "Numbers":
        return self

    def __next__(self) -> int:
        last = self.last
        self.last = last + 1
        return last


setup = Numbers
WORKERS = [next, next]
