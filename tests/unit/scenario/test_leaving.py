"""Blocks are left by an exception where that makes a difference."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import pytest

from racehound.reporters.wording import spoken
from racehound.scenario.calls import ASYNC_BLOCK, BLOCK
from racehound.scenario.leaving import catches_something, failing, heeds_exceptions, is_failing

CAUGHT: list[int] = []


class Looks:
    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is not None:
            self.failed = True


class HandsOn:
    def __exit__(self, *details: object) -> None:
        self.details = details


class LooksFromInside:
    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.later = lambda: error


class LooksAway:
    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.open = False


class TakesAll:
    def __exit__(self, *details: object) -> None:
        self.open = False


@pytest.mark.parametrize(
    ("kind", "heeds"),
    [(Looks, True), (HandsOn, True), (LooksFromInside, True), (LooksAway, False), (TakesAll, False)],
)
def test_exit_heeds_exceptions_if_it_looks_at_them(kind: Any, *, heeds: bool) -> None:
    assert heeds_exceptions(kind.__exit__) is heeds


def test_exit_that_is_not_python_heeds_nothing_that_is_known() -> None:
    assert not heeds_exceptions(memoryview.__exit__)


@contextmanager
def caught() -> Iterator[None]:
    try:
        yield
    except ValueError:
        CAUGHT.append(1)


@asynccontextmanager
async def caught_later() -> AsyncIterator[None]:
    try:
        yield
    except ValueError:
        CAUGHT.append(1)
        raise


@contextmanager
def cleaned_up() -> Iterator[None]:
    try:
        CAUGHT.clear()
    except ValueError:
        CAUGHT.append(1)
    try:
        yield
    finally:
        CAUGHT.clear()


def test_function_behind_a_block_may_catch_what_is_raised_there() -> None:
    assert catches_something(caught.__wrapped__)  # type: ignore[attr-defined]  # what it decorates
    assert catches_something(caught_later.__wrapped__)  # type: ignore[attr-defined]  # likewise
    assert not catches_something(cleaned_up.__wrapped__)  # type: ignore[attr-defined]  # likewise
    assert not catches_something(eval("lambda: None"))  # noqa: S307 - without a source


def test_failing_block_is_told_as_a_statement() -> None:
    block, on_loop = failing(BLOCK.format("subject")), failing(ASYNC_BLOCK.format("subject"))

    assert is_failing(block)
    assert not is_failing(BLOCK.format("subject"))
    assert spoken(block) == "with subject: raise ValueError"
    assert spoken(on_loop) == "async with subject: raise ValueError"
