import gc
import io
import sys
from functools import partial
from itertools import count

import pytest

from racehound.engine import explorer as explorer_module
from racehound.engine.control import CONTROL
from racehound.engine.determinism import InOrder
from racehound.engine.execution import Trace
from racehound.engine.explorer import Explorer, reason_of
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.engine.outlasting import Patience
from racehound.errors import HarnessError
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor

SHARED = object()


def touch() -> None:
    execution = CONTROL.here()
    assert execution is not None
    execution.step(Operation(Kind.WRITE, (Effect(execution.number(SHARED), WHOLE, writes=True),)))


def accept(trace: Trace) -> None:
    del trace


def test_search_ends_when_nothing_is_left(explorer: Explorer) -> None:
    search = explorer.search(lambda: [touch, touch], DepthFirst(), accept, seconds=10)

    assert (search.executions, search.exhausted, search.failure) == (6, True, None)


def test_search_ends_at_the_first_failure(explorer: Explorer) -> None:
    def judge(trace: Trace) -> str | None:
        return "second first" if trace.events[0].task == 1 else None

    search = explorer.search(lambda: [touch, touch], DepthFirst(), judge, seconds=10)

    assert (search.executions, search.exhausted, search.failure) == (4, False, "second first")
    assert search.trace is not None


def test_search_ends_with_its_budget(explorer: Explorer) -> None:
    search = explorer.search(lambda: [touch, touch], DepthFirst(), accept, seconds=0)

    assert (search.executions, search.exhausted) == (0, False)


def test_endless_execution_is_a_caveat(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorer_module, "Patience", partial(Patience, most=20, steps=20))

    def spin() -> None:
        while True:
            touch()

    search = explorer.search(lambda: [spin], DepthFirst(), accept, seconds=10)

    assert search.caveats == {"an execution did not end within the limit of operations"}


def test_an_execution_that_goes_on_is_cut_when_the_time_is_over(explorer: Explorer) -> None:
    def spin() -> None:
        while True:
            touch()

    search = explorer.search(lambda: [spin, spin], Dpor(), accept, seconds=0.05)

    assert (search.executions, search.exhausted, search.failure) == (1, False, None)


def test_broken_execution_ends_the_search(explorer: Explorer) -> None:
    def give_up() -> None:
        execution = CONTROL.here()
        assert execution is not None
        execution.give_up(HarnessError("no"))

    search = explorer.search(lambda: [give_up], DepthFirst(), accept, seconds=10)

    assert reason_of(search.broken_by) == "no"


def test_reason_of_any_error_is_one_line() -> None:
    assert reason_of(KeyError("k")) == "KeyError: 'k'"


@pytest.mark.parametrize("collecting", [True, False])
def test_collector_is_left_as_it_was(explorer: Explorer, collecting: bool) -> None:
    was_on = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        explorer.search(lambda: [touch], DepthFirst(), accept, seconds=10)
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if was_on else gc.disable)()


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.usefixtures("unmeasured")
def test_long_search_collects_now_and_then(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    collected: list[bool] = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(True))

    def three() -> None:
        for _ in range(4):
            touch()

    search = explorer.search(lambda: [three, three, touch], DepthFirst(), accept, seconds=20)

    assert len(collected) == search.executions // 256 > 0


def test_a_program_that_begins_otherwise_than_before_is_noticed(explorer: Explorer) -> None:
    sites = count(1)

    def touch_elsewhere() -> None:
        execution = CONTROL.here()
        assert execution is not None
        effects = (Effect(execution.number(SHARED), WHOLE, writes=True),)
        execution.step(Operation(Kind.WRITE, effects, site=next(sites)))

    search = explorer.search(lambda: [touch_elsewhere, touch, touch], Dpor(), accept, seconds=10)

    assert str(search.broken_by).startswith("step 1 differs although all choices before it were the same")
    assert search.executions == 2


def test_streams_that_a_program_leaves_exchanged_are_put_back() -> None:
    explorer, mine = Explorer(), sys.stdout
    others = [io.StringIO(), io.StringIO()]
    seen = []

    def exchange() -> None:
        seen.append(sys.stdout)
        sys.stdout, sys.stderr = others

    for _ in range(2):
        explorer.run(lambda: [exchange], InOrder())
        seen.append(sys.stdout)
    explorer.close()

    assert seen == [mine, others[0]] * 2
    assert sys.stdout is mine
