"""What changes by itself between two runs is no race, however seldom it does."""

import itertools
import threading
from collections.abc import Iterator

import pytest

from racehound import explore

OUTSIDE: Iterator[int] = itertools.count()
"""Counts on whatever is put back between two executions, as a clock goes on."""


class Dated:
    """Sound, but it knows the hour of its making."""

    def __init__(self, length: int) -> None:
        self.hour = next(OUTSIDE) // length
        self.value = 0
        self._lock = threading.Lock()

    def up(self) -> None:
        for _ in range(2):
            with self._lock:
                self.value += 1


@pytest.mark.parametrize("length", [6, 7])
def test_hour_that_strikes_during_the_search_is_no_race(length: int) -> None:
    result = explore(setup=lambda: Dated(length), workers=[Dated.up, Dated.up])

    assert result.verdict == "safe"


def test_race_of_a_class_that_changes_by_itself_is_found_all_the_same() -> None:
    class Racy(Dated):
        def up(self) -> None:
            self.value += 1

    result = explore(setup=lambda: Racy(7), workers=[Racy.up, Racy.up])

    assert result.verdict == "race"
    assert "hour" not in str(result.failure)


def test_state_that_never_comes_out_the_same_is_not_called_a_race() -> None:
    def make() -> list[int]:
        return list(range(next(OUTSIDE) // 6))

    result = explore(setup=make, workers=[len, len])

    assert result.verdict in {"safe", "inconclusive"}
