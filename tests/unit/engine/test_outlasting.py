"""Code that waits for something outside does not keep its caller waiting for ever."""

import os
import re
from collections.abc import Iterator

import pytest

from racehound import explore
from racehound.engine import outlasting

Pipes = tuple[int, int, int, int]


@pytest.fixture(name="pipes")
def _pipes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipes]:
    monkeypatch.setattr(outlasting, "STANDSTILL", 0.05)
    pipes = os.pipe() + os.pipe()
    yield pipes
    for end in pipes:
        os.close(end)


class Reader:
    def __init__(self, pipes: Pipes) -> None:
        self.pipes = pipes
        self.count = 0

    def read(self) -> None:
        question, *_, answer = self.pipes
        self.count += 1
        os.read(question, 1)
        os.write(answer, b"x")


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        self.value += 1


def test_place_where_the_code_waits_is_named(pipes: Pipes) -> None:
    stuck = explore(setup=lambda: Reader(pipes), workers=[Reader.read], budget=0.1)
    after = explore(setup=Counter, workers=[Counter.increment, Counter.increment])
    os.write(pipes[1], b"x")
    os.read(pipes[2], 1)  # or the thread might go on in the middle of another test

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
