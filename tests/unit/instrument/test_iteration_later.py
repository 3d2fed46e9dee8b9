"""Asynchronous iterators that several coroutines go through."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from racehound import explore

FOREIGN = """
class Numbers:
    def __init__(self):
        self.left = 2
    def __aiter__(self):
        return self
    async def __anext__(self):
        if not self.left:
            raise StopAsyncIteration
        self.left -= 1
        return self.left
"""


class Feed:
    def __init__(self, source: Any) -> None:
        self.source = source

    async def consume(self) -> list[int]:
        return [number async for number in self.source]


async def generate() -> AsyncIterator[int]:
    await asyncio.sleep(0)
    yield 1


def test_shared_generator_that_is_at_work_for_another_is_found() -> None:
    result = explore(setup=lambda: Feed(generate()), workers=[Feed.consume, Feed.consume])

    assert result.verdict == "race"
    assert "already running" in str(result.failure)


def test_shared_iterator_whose_code_is_not_observed_weakens_the_verdict() -> None:
    names: dict[str, Any] = {}
    exec(FOREIGN, names)  # noqa: S102 - a class without source is the point

    result = explore(setup=lambda: Feed(names["Numbers"]()), workers=[Feed.consume, Feed.consume])

    assert result.verdict == "sampled"
    assert "inner state is not observed" in result.proof.reason


async def alone() -> list[int]:
    return [number async for number in generate()]


def test_generator_that_nobody_else_has_is_safe() -> None:
    async def work(_: object) -> list[int]:
        return await alone()

    assert explore(setup=lambda: [0], workers=[work, work]).verdict == "safe"


async def ended_early(*, empty: bool) -> AsyncIterator[int]:
    if empty:
        return
    yield 1
    return


def test_generator_that_returns_early_is_rewritten_as_it_is() -> None:
    async def work(_: object) -> list[int]:
        return [number for empty in (True, False) async for number in ended_early(empty=empty)]

    result = explore(setup=lambda: None, workers=[work, work])

    assert result.verdict == "safe", result.describe()
