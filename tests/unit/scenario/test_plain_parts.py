"""Parts of operations, one after the other, on the plain interpreter."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from typing import Any

from racehound.scenario.plain_parts import Result, parts_on_a_loop, parts_on_a_thread


def block(seen: Any) -> Generator[None, None, str]:
    seen.append("opened")
    yield
    seen.append("closed")
    return "done"


async def block_on_loop(seen: Any) -> AsyncIterator[str]:
    seen.append("opened")
    yield "inside"
    await asyncio.sleep(0)
    seen.append("closed")


def fails_at_once(seen: object) -> Generator[None, None, None]:
    raise KeyError(seen)
    yield


async def fails_on_loop(seen: object) -> AsyncIterator[None]:
    raise KeyError(seen)
    yield


def test_thread_stands_still_between_parts() -> None:
    results: list[Result] = []
    seen: list[str] = []
    first, second = parts_on_a_thread(block, results)

    first(seen)
    seen.append("another")
    second(seen)

    assert seen == ["opened", "another", "closed"]
    assert results == [("returned", "done")]


def test_operation_without_a_pause_has_one_part() -> None:
    results: list[Result] = []
    (only,) = parts_on_a_thread(len, results)  # type: ignore[arg-type]  # of the subject below

    only([1])

    assert results == [("returned", 1)]


def run(parts: list[Callable[[object], Coroutine[Any, Any, None]]], seen: list[str]) -> None:
    with asyncio.Runner() as runner:
        for part in parts:
            runner.run(part(seen))
            seen.append("another")


def test_coroutine_stands_still_between_parts() -> None:
    results: list[Result] = []
    seen: list[str] = []

    run(parts_on_a_loop(block_on_loop, results), seen)

    assert seen == ["opened", "another", "closed", "another"]
    assert results == [("returned", ["inside"])]


def test_what_the_first_part_raises_is_the_result_and_the_end() -> None:
    results: list[Result] = []
    for part in parts_on_a_thread(fails_at_once, results):
        part(1)
    hosted: list[Result] = []
    run(parts_on_a_loop(fails_on_loop, hosted), [])

    for found in (results, hosted):
        assert [(kind, type(value)) for kind, value in found] == [("raised", KeyError)]
