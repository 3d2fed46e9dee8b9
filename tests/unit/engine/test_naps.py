"""Threads that sleep in a loop while others work."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from racehound.engine.company import EVERY_ROUND, FEW_ROUNDS
from racehound.engine.control import CONTROL
from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer, Search
from racehound.engine.naps import TAKEN_BY_SLEEPER, acts_amidst
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.engine.strategy import SearchStrategy
from racehound.primitives.mirrors import installed
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor
from racehound.strategies.guided import Guided

Body = Callable[[], object]
Work = Callable[["Cell", threading.Lock], object]


@pytest.fixture(name="explorer")
def _explorer() -> Iterator[Explorer]:
    explorer = Explorer()
    with installed():
        yield explorer
    explorer.close()


class Cell:
    """A value whose reading and writing are published."""

    def __init__(self) -> None:
        self.value = 0

    def read(self) -> int:
        self._publish(writes=False)
        return self.value

    def write(self, value: int) -> None:
        self._publish(writes=True)
        self.value = value

    def _publish(self, *, writes: bool) -> None:
        execution = CONTROL.here()
        assert execution is not None
        kind = Kind.WRITE if writes else Kind.READ
        execution.step(Operation(kind, (Effect(execution.number(self), WHOLE, writes),), site=1))


def beside(
    sleeper: Work,
    work: Work,
    *,
    by_event: bool = False,
) -> Body:
    """Work with a thread in the background that does the same again and again."""

    def body() -> object:
        cell, lock, stop = Cell(), threading.Lock(), threading.Event()

        def rounds() -> None:
            while not (by_event and stop.wait(5)):
                if not by_event:
                    time.sleep(5)
                sleeper(cell, lock)

        threading.Thread(target=rounds, daemon=True).start()
        return work(cell, lock)

    return body


def look(cell: Cell, lock: threading.Lock) -> None:
    with lock:
        cell.read()


def count(cell: Cell, lock: threading.Lock) -> None:
    with lock:
        cell.write(cell.read() + 1)


def search(explorer: Explorer, body: Body, strategy: SearchStrategy) -> tuple[Search, set[tuple[Ending, object]]]:
    seen: set[tuple[Ending, object]] = set()

    def note(trace: Trace) -> None:
        seen.add((trace.ending, trace.tasks[0].result))

    return explorer.search(lambda: [body], strategy, note, seconds=20), seen


def increment(cell: Cell, _: threading.Lock) -> int:
    cell.write(cell.read() + 1)
    return cell.read()


@pytest.mark.parametrize("by_event", [False, True])
def test_thread_that_only_looks_is_left_to_sleep(explorer: Explorer, by_event: bool) -> None:
    def work(cell: Cell, lock: threading.Lock) -> int:
        count(cell, lock)
        return cell.read()

    found, seen = search(explorer, beside(look, work, by_event=by_event), Dpor())

    assert (found.exhausted, found.caveats, seen) == (True, set(), {(Ending.COMPLETE, 1)})


@pytest.mark.parametrize("by_event", [False, True])
def test_reduced_search_sees_what_brute_force_sees_beside_a_sleeper(explorer: Explorer, by_event: bool) -> None:
    noticed: list[int] = []

    def notice(cell: Cell, _: threading.Lock) -> None:
        noticed.append(cell.read())

    def work(cell: Cell, _: threading.Lock) -> tuple[int, ...]:
        noticed.clear()
        cell.write(1)
        cell.write(2)
        return tuple(dict.fromkeys(noticed))

    reduced, clever = search(explorer, beside(notice, work, by_event=by_event), Dpor())
    every, brute = search(explorer, beside(notice, work, by_event=by_event), DepthFirst())

    assert reduced.exhausted
    assert every.exhausted
    assert clever == brute == {(Ending.COMPLETE, seen) for seen in [(), (0,), (1,), (0, 1)]}


@pytest.mark.slow
@pytest.mark.parametrize("by_event", [False, True])
@pytest.mark.parametrize(("rounds", "work"), [(count, count), (increment, increment)])
def test_reduced_search_sees_every_overlap_with_rounds_of_the_background(
    explorer: Explorer, rounds: Work, work: Work, by_event: bool
) -> None:
    reduced, clever = search(explorer, beside(rounds, work, by_event=by_event), Dpor())
    every, brute = search(explorer, beside(rounds, work, by_event=by_event), DepthFirst())

    assert reduced.exhausted
    assert every.exhausted
    assert clever == brute
    assert reduced.executions < every.executions
    assert (work is count) or len(clever) > 1


@pytest.mark.parametrize("by_event", [False, True])
def test_thread_that_changes_something_in_each_round_is_not_let_go_on_for_ever(
    explorer: Explorer, by_event: bool
) -> None:
    found, _ = search(explorer, beside(count, look, by_event=by_event), Dpor())

    assert (found.exhausted, found.caveats) == (True, {FEW_ROUNDS, EVERY_ROUND})


def test_wait_outside_of_any_loop_is_no_sleep(explorer: Explorer) -> None:
    def body() -> bool:
        said = threading.Event()
        given_up: list[bool] = []
        thread = threading.Thread(target=lambda: given_up.append(not said.wait(5)), daemon=True)
        thread.start()
        said.set()
        thread.join()
        return given_up[0]

    _, seen = search(explorer, body, Dpor())

    assert seen == {(Ending.COMPLETE, False)}


def test_who_waits_for_ever_beside_one_that_only_looks_is_in_a_deadlock(explorer: Explorer) -> None:
    def wait(_: Cell, __: threading.Lock) -> None:
        threading.Event().wait()

    _, seen = search(explorer, beside(look, wait, by_event=True), Dpor())

    assert seen == {(Ending.DEADLOCK, None)}


def test_lock_that_is_tried_for_may_be_taken_by_the_sleeper_once_more(explorer: Explorer) -> None:
    def work(cell: Cell, lock: threading.Lock) -> bool:
        cell.read()
        return lock.acquire(blocking=False)

    found, seen = search(explorer, beside(look, work), Dpor())

    assert {result for _, result in seen} == {True, False}
    assert found.caveats <= {TAKEN_BY_SLEEPER}


def test_what_the_background_does_afterwards_is_no_reason_for_what_others_came_to(explorer: Explorer) -> None:
    after = explorer.run(lambda: [beside(count, look)], Guided([]))

    assert any(event.operation.kind is Kind.WRITE for event in after.events)
    assert not acts_amidst(after)
