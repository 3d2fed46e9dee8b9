"""An empty place inside an object is as good as none; what anybody can see is not."""

from collections import deque

import pytest

from racehound import explore
from racehound.scenario.emptiness import filled_in, is_among
from racehound.scenario.snapshot import capture


class Gate:
    def __init__(self, waiters: object, seen: object = None) -> None:
        self._waiters = waiters
        self.seen = seen


@pytest.mark.parametrize("made", [[], {}, set(), deque(), ()])
def test_what_was_made_and_holds_nothing_is_as_good_as_none(made: object) -> None:
    assert is_among(capture({"state": Gate(made)}), [capture({"state": Gate(None)})], ())
    assert is_among(capture({"state": Gate(None)}), [capture({"state": Gate(made)})], ())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"state": Gate([1])}, {"state": Gate(None)}),
        ({"state": Gate({"a": None})}, {"state": Gate({})}),
        ({"state": Gate(None, seen=[])}, {"state": Gate(None)}),
        ({"state": Gate(None), "results": [None]}, {"state": Gate(None), "results": [[]]}),
        ({"state": Gate(0)}, {"state": Gate(None)}),
    ],
)
def test_what_holds_something_or_is_seen_by_others_differs(
    one: dict[str, object], other: dict[str, object]
) -> None:
    assert not is_among(capture(one), [capture(other)], ())


def test_what_held_something_before_is_not_as_good_as_none() -> None:
    seen, known = capture({"state": Gate([])}), capture({"state": Gate(None)})

    assert is_among(seen, [known], (), filled=filled_in(capture({"state": Gate(None)})))
    assert not is_among(seen, [known], (), filled=filled_in(capture({"state": Gate([])})))
    assert not is_among(seen, [known], (), filled=filled_in(capture({"state": Gate([1])})))


class Outbox:
    """What is closed holds None, and stays closed."""

    def __init__(self) -> None:
        self._items: list[str] | None = ["a"]

    def close(self) -> None:
        self._items = None

    def clear(self) -> None:
        if self._items is not None:
            self._items = []


def test_what_is_open_again_after_it_was_closed_is_a_race() -> None:
    assert explore(setup=Outbox, workers=[Outbox.close, Outbox.clear]).verdict == "race"


class Turnstile:
    """Admits one at a time; the queue is made when somebody has to wait."""

    def __init__(self) -> None:
        self._taken = False
        self._waiting: list[int] | None = None
        self.passed = 0

    def pass_through(self) -> None:
        while self._taken:
            if self._waiting is None:
                self._waiting = []
        self.passed = self.passed

    def hold(self) -> None:
        self._taken = True
        self._taken = False


def test_queue_that_only_meetings_make_is_no_race() -> None:
    result = explore(setup=Turnstile, workers=[Turnstile.hold, Turnstile.pass_through])

    assert result.verdict == "safe", result.describe()
