"""Operators that classes of the standard library write in Python take several steps, which nobody sees."""

import threading
from collections import Counter
from collections.abc import Callable
from http.cookies import SimpleCookie

import pytest

from racehound import explore


def empty() -> Counter[str]:
    return Counter()


def add(counts: Counter[str]) -> None:
    counts += Counter("a")


def weigh(counts: Counter[str]) -> int:
    return len(counts + Counter("a"))


def put(counts: Counter[str]) -> None:
    counts["b"] = 1


def bake(cookies: SimpleCookie) -> None:
    cookies["a"] = "b"


class Guarded:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.lock = threading.Lock()

    def add(self) -> None:
        with self.lock:
            self.counts += Counter("a")


@pytest.mark.parametrize("worker", [add, weigh])
def test_a_counter_takes_several_steps_in_an_operator(worker: Callable[[Counter[str]], object]) -> None:
    result = explore(setup=empty, workers=[worker, put])

    assert result.verdict == "sampled"
    assert "a Counter is shared, and its inner state is not observed" in result.proof.reason


def test_a_dictionary_of_others_takes_several_steps_to_set_an_item() -> None:
    assert explore(setup=SimpleCookie, workers=[bake, bake]).verdict == "sampled"


def test_a_lock_holds_the_steps_together() -> None:
    assert explore(setup=Guarded, workers=[Guarded.add, Guarded.add]).verdict == "safe"
