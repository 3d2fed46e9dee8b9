"""The attribute is read inside `str.format`."""


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        self.value = int("{0.value}".format(self)) + 1  # noqa: UP030, UP032 - the point of it


setup = Counter
WORKERS = [Counter.increment, Counter.increment]
