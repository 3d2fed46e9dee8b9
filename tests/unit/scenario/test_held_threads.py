"""Threads that are held in this process, on code that nobody has rewritten."""

import sys
import threading

import pytest

from racehound.scenario.held_threads import run_turns
from racehound.scenario.turns import Script, Turn

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
    script = Script((Turn(0, __file__, LINE, "write"), Turn(1), Turn(0)))

    late, threads = run_turns(dict.fromkeys(range(2), counter.increment), script, (stop, 0, 0))

    assert late == {}
    assert counter.value == left
    assert threads[0].passed[__file__, LINE] == ["LOAD_ATTR", "BINARY_OP", "STORE_ATTR"]


class Starter(Counter):
    def together(self) -> None:
        threads = [threading.Thread(target=self.increment) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="listening to this process would disturb other tests")
@pytest.mark.parametrize(("children", "left"), [([1, 2], 1), ([], 2)])
def test_threads_that_a_thread_starts_are_held_if_somebody_expects_them(children: list[int], left: int) -> None:
    counter = Starter()
    turns = (Turn(0), Turn(1, __file__, LINE, "write"), Turn(2), Turn(1)) if children else (Turn(0),)
    script = Script(turns, {0: children})

    late, threads = run_turns({0: counter.together}, script, (0, 3, 0, 0)[: len(turns)])

    assert late == {}
    assert counter.value == left
    assert len(threads) == 3
