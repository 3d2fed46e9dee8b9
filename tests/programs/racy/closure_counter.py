"""A variable that two calls of one inner function share."""

from collections.abc import Callable


def setup() -> Callable[[], int]:
    count = 0

    def bump() -> int:
        nonlocal count
        count += 1
        return count

    return bump


WORKERS = [lambda bump: bump(), lambda bump: bump()]
