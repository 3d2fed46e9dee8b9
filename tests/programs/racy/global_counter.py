"""A module-level count that two functions change."""

count = 0


def bump() -> int:
    global count
    count += 1
    return count


def setup() -> None:
    """The state is the module's."""


WORKERS = [lambda _: bump(), lambda _: bump()]
