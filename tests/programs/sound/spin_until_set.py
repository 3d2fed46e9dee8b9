"""Waiting by looking, for something that is written in any case."""

import time


class Flag:
    def __init__(self) -> None:
        self.up = False

    def raise_it(self) -> None:
        self.up = True

    def wait_for_it(self) -> bool:
        while not self.up:
            time.sleep(0.1)
        return self.up


setup = Flag
WORKERS = [Flag.wait_for_it, Flag.raise_it]


def invariant(flag: Flag) -> bool:
    return flag.up
