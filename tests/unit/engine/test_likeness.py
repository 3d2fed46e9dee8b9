"""Whether all is as it was, as far as a task can get at it."""

import sys
import threading
from collections import deque
from collections.abc import Callable

import pytest

from racehound.engine import likeness
from racehound.engine.likeness import Likeness


class Thing:
    def __init__(self, **fields: object) -> None:
        vars(self).update(fields)


class Slotted:
    __slots__ = ("value",)


LOCK = threading.Lock()


def like_of(held: object) -> Likeness:
    """Of a thread that can get at nothing else."""
    found: list[Likeness] = []

    def look(found: list[Likeness], held: object) -> None:
        found.append(Likeness(sys._getframe()))

    thread = threading.Thread(target=look, args=(found, held))
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: Thing(items=[], lock=LOCK),
        lambda: {"a": [1, (2.5, None)], "b": deque(["x"])},
        lambda: Thing(inner=Thing(names={"a": True})),
    ],
)
def test_fresh_objects_that_hold_the_same_are_alike(make: Callable[[], object]) -> None:
    assert like_of(make()).is_that_of(like_of(make()))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Thing(items=[1]), Thing(items=[1, 2])),
        (Thing(value=1), Thing(value=True)),
        (Thing(lock=threading.Lock()), Thing(lock=threading.Lock())),
        (Slotted(), Slotted()),
        ({1, 2}, {1, 2}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ],
)
def test_what_differs_or_cannot_be_looked_into_is_not_alike(one: object, other: object) -> None:
    assert not like_of(one).is_that_of(like_of(other))


def test_it_matters_whether_two_are_the_same() -> None:
    both: list[int] = []

    assert not like_of([both, both]).is_that_of(like_of([[], []]))


def test_too_much_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likeness, "MOST", 3)

    assert not like_of([[], [], [], []]).is_that_of(like_of([[], [], [], []]))
