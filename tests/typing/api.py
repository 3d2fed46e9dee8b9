"""Checked by mypy and never run: the intended use of the public names, and misuse that must be noticed.

A misuse carries `type: ignore` with the expected error; mypy reports the comment as unused should it go unnoticed.
"""

import asyncio
from typing import assert_type

from racehound import explore


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        self.value += 1

    async def increment_slowly(self) -> None:
        value = self.value
        await asyncio.sleep(0)
        self.value = value + 1


def races_threads() -> None:
    result = explore(setup=Counter, workers=[Counter.increment, Counter.increment], invariant=lambda it: it.value == 2)

    assert_type(result.verdict == "race", bool)
    assert_type(result.executions, int)
    assert_type(result.token, str | None)
    result.assert_safe()


def races_coroutines() -> None:
    explore(setup=Counter, workers=[Counter.increment_slowly, Counter.increment_slowly])


def misuse() -> None:
    explore(Counter, [Counter.increment])  # type: ignore[misc]  # arguments are given by name
    explore(setup=Counter(), workers=[Counter.increment])  # type: ignore[arg-type]  # an object, not a way to make one
