"""Code that waits for something outside does not keep its caller waiting for ever."""

import os
import re
from collections.abc import Iterator

import pytest

from racehound import explore
from racehound.engine import outlasting

Pipe = tuple[int, int]


@pytest.fixture(name="pipe")
def _pipe(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipe]:
    monkeypatch.setattr(outlasting, "STANDSTILL", 0.05)
    pipe = os.pipe()
    yield pipe
    for end in pipe:
        os.close(end)


class Reader:
    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.count = 0

    def read(self) -> None:
        self.count += 1
        os.read(self.pipe[0], 1)


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        self.value += 1


def test_place_where_the_code_waits_is_named(pipe: Pipe) -> None:
    stuck = explore(setup=lambda: Reader(pipe), workers=[Reader.read], budget=0.1)
    after = explore(setup=Counter, workers=[Counter.increment, Counter.increment])
    os.write(pipe[1], b"xx")

    assert stuck.verdict == "inconclusive"
    assert re.search(r"test_outlasting.py:\d+ in Reader.read", stuck.proof.reason)
    assert after.verdict == "race"


def test_code_that_makes_steps_is_waited_for() -> None:
    answers = iter([False, False, False, True])
    steps = iter(range(100))

    assert not outlasting.outlasts(lambda *_: next(answers), 0.0, lambda: next(steps))


def test_code_that_makes_no_steps_is_not() -> None:
    assert outlasting.outlasts(lambda *_: False, 0.0, lambda: 7)


def test_thread_that_is_gone_has_no_place() -> None:
    assert "stands at" not in str(outlasting.stuck_at(-1))
