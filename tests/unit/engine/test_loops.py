"""Whether the innermost loop around an await goes over items."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from textwrap import indent
from typing import Any

import pytest

from racehound.engine.loops import takes_items

Worker = Callable[[], Coroutine[Any, Any, None]]
HEADS = {
    "for": ("for _ in [None] * 3:", True),
    "async for": ("async for _ in items():", True),
    "while": ("while True:", False),
    "while around for": ("while True:\n    for _ in [None] * 3:", True),
    "for around while": ("for _ in [None] * 3:\n    while True:", False),
}
LONG = "kept = None\n" * 200
"""So many steps that the jump back over them has a prefix."""


async def items() -> AsyncIterator[None]:
    for _ in range(3):
        yield None


def worker(head: str, before: str, after: str) -> Worker:
    depth = head.count("\n") + 1
    body = indent(f"{before}await asyncio.sleep(0)\n{after}", "    " * depth)
    names: dict[str, Any] = {"asyncio": asyncio, "items": items}
    inner = indent(f"{head}\n{body}", "    ")
    exec(f"async def work():\n{inner}    seen = True\n", names)  # noqa: S102 - of many forms
    made: Worker = names["work"]
    return made


@pytest.mark.parametrize("after", ["", LONG], ids=["", "long after"])
@pytest.mark.parametrize("before", ["", LONG], ids=["", "long before"])
@pytest.mark.parametrize("form", HEADS)
def test_innermost_loop_around_an_await_is_known(form: str, before: str, after: str) -> None:
    head, expected = HEADS[form]
    coroutine = worker(head, before, after)()
    coroutine.send(None)

    assert takes_items([coroutine.cr_frame]) is expected  # type: ignore[attr-defined]  # of each coroutine
    coroutine.close()


@pytest.mark.parametrize(("head", "expected"), [("for _ in [None] * 3:", True), ("while True:", False)])
def test_our_own_loop_counts_where_it_makes_one_call_after_the_other(head: str, expected: bool) -> None:
    ours: dict[str, Any] = {"__name__": "racehound.scenario.plan", "asyncio": asyncio}
    exec(f"async def work():\n    {head}\n        await asyncio.sleep(0)\n", ours)  # noqa: S102 - of two forms
    coroutine = ours["work"]()
    coroutine.send(None)

    assert takes_items([coroutine.cr_frame]) is expected
    coroutine.close()
