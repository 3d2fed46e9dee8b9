"""A callback may come too late for the stack that was to call it."""

from contextlib import ExitStack


class Cleaner:
    def __init__(self) -> None:
        self.stack = ExitStack()
        self.cleaned = 0

    def clean(self) -> None:
        self.cleaned += 1

    def register(self) -> None:
        self.stack.callback(self.clean)

    def close(self) -> None:
        self.stack.close()


setup = Cleaner
WORKERS = [Cleaner.register, Cleaner.close]


def invariant(cleaner: Cleaner) -> bool:
    return cleaner.cleaned == 1
