"""The fixture `race`: functions of the test's own, raced from inside its body."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

import pytest

from racehound.pipeline.explore import Exploration
from racehound.pytest_plugin import searching
from racehound.pytest_plugin.memory import Memory

State = TypeVar("State")


class Race:
    """Call it as `racehound.explore`; it fails the test where that finds a race or can decide nothing."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._memory = Memory(item)
        self._has_failed = False

    def __call__(  # noqa: PLR0913 - the arguments of `explore`
        self,
        *,
        setup: Callable[[], Coroutine[Any, Any, State]] | Callable[[], State],
        workers: Sequence[Callable[[State], object]],
        invariant: Callable[[State], object] | None = None,
        budget: float | None = None,
        strategy: str | None = None,
        seed: int | None = None,
        strict: bool | None = None,
    ) -> Exploration:
        """Race the workers; what is not said here is as the marker or the configuration has it."""
        __tracebackhide__ = True
        settings = searching.settled(self._item, budget=budget, strategy=strategy, seed=seed, strict=strict)
        found = searching.search(searching.Race(setup, workers, invariant), settings, self._memory)
        searching.note(self._item, found)
        if searching.is_failure(found, settings):
            self._has_failed = True
            pytest.fail(searching.complaint(self._item, found))
        return found

    explore = __call__

    def close(self) -> None:
        """The test is over: a schedule that no longer fails need not be tried again."""
        if not self._has_failed and not self._item.config.getoption("race_replay"):
            self._memory.forget()
