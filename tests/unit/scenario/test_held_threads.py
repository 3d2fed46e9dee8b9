"""Threads that are held in this process, on code that nobody has rewritten."""

import sys

import pytest

from racehound.scenario.held_threads import run_turns
from racehound.scenario.turns import Turn

LINE = sys._getframe().f_lineno + 8


class Counter:
    def __init__(self) -> None:
        self.value = 0

    def increment(self) -> None:
        self.value += 1


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="listening to this process would disturb other tests")
@pytest.mark.parametrize(("stop", "left"), [(0, 2), (1, 2), (3, 1)])
def test_thread_is_held_before_the_chosen_instruction(stop: int, left: int) -> None:
    counter = Counter()
    turns = [Turn(0, __file__, LINE, "write"), Turn(1), Turn(0)]

    late, threads = run_turns([counter.increment] * 2, turns, (stop, 0, 0))

    assert late == {}
    assert counter.value == left
    assert threads[0].passed[__file__, LINE] == ["LOAD_ATTR", "BINARY_OP", "STORE_ATTR"]
