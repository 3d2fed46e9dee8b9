"""What is made or used up on the way, where no serial order does so, is told rather than accused."""

import asyncio
import heapq
import itertools
import threading
import types
from collections.abc import Callable
from typing import Any

import pytest

from racehound import explore
from racehound.scenario.byproducts import about, drawn_further, rebound
from racehound.scenario.snapshot import capture
from racehound.scenario.surroundings import Surroundings

Load = Callable[[str], types.ModuleType]


@pytest.mark.parametrize(
    ("before", "now", "is_made"),
    [
        (None, [], True),
        ([], {}, True),
        (None, 1, False),
        (0, [], False),
    ],
)
def test_thing_that_takes_the_place_of_nothing_or_of_another_is_made(
    before: object, now: object, *, is_made: bool
) -> None:
    assert rebound({"a": before}, {"a": now}) == ({"a"} if is_made else set())


def test_what_stays_in_its_place_is_not_made() -> None:
    table: list[int] = []

    assert not rebound({"a": table}, {"a": table})


def test_what_is_told_of_a_name_is_found_whole() -> None:
    snapshot = {"m.x": "1", "len(m.x)": "1", "m.x[0]": "1", "m.xy": "1", "a.m.x": "1"}

    assert about(["m.x"], [snapshot]) == {"m.x", "len(m.x)", "m.x[0]"}


class Numbered:
    def __init__(self, drawn: int, *, shown: int = 0) -> None:
        self._numbers = itertools.count(drawn)
        self.numbers = itertools.count(shown)


def test_private_numbers_may_have_been_drawn_further() -> None:
    serial, seen = (capture({"state": Numbered(drawn)}) for drawn in (1, 2))

    assert list(drawn_further(seen, serial)) == ["state._numbers"]
    assert not list(drawn_further(serial, seen))
    assert not list(drawn_further(capture({"state": Numbered(1, shown=1)}), serial))


SOURCE = """
    made = None

    def make():
        global made
        class Waiter:
            limit = 1
        made = Waiter
        return Waiter
"""


def test_class_that_is_made_is_known_with_all_it_holds(load: Load) -> None:
    module: Any = load(SOURCE)
    surroundings = Surroundings([module])

    assert not surroundings.rebound()
    module.make()

    assert "make.<locals>.Waiter.limit" in surroundings.rebound()


QUEUE: list[threading.Event] | None = None


class Gate:
    """Whoever finds it taken makes the place for those who wait, once for all gates."""

    def __init__(self) -> None:
        self._taken = False
        self.passed = 0

    def hold(self) -> None:
        self._taken = True
        self._taken = False

    def look(self) -> None:
        global QUEUE  # noqa: PLW0603 - that is what the test is about
        if self._taken and QUEUE is None:
            QUEUE = []

    def note(self) -> None:
        global QUEUE  # noqa: PLW0603 - likewise
        if self._taken:
            QUEUE = []
            self.passed += 1


def test_place_that_only_meetings_make_is_told_and_not_accused() -> None:
    result = explore(setup=Gate, workers=[Gate.hold, Gate.look])

    assert result.verdict == "sampled"
    assert "is made on the way, which no serial order does" in result.proof.reason


def test_it_excuses_nothing_else() -> None:
    assert explore(setup=Gate, workers=[Gate.hold, Gate.note]).verdict == "race"


class Line:
    """Who is woken for nothing queues again, behind a number of its own."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._free = 1

    async def take(self) -> None:
        while not self._free:
            place = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (next(self._numbers), place))
            await place
        self._free -= 1
        await asyncio.sleep(0)
        self._free += 1
        while self._waiting:
            heapq.heappop(self._waiting)[1].set_result(None)


def test_numbers_drawn_by_those_who_wait_again_are_told_and_not_accused() -> None:
    result = explore(setup=Line, workers=[Line.take] * 3)

    assert result.verdict == "sampled"
    assert "more numbers are drawn from state._numbers" in result.proof.reason
