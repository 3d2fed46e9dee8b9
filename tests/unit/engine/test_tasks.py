"""Tasks that tasks start, waits that expire, loops that look, and strands."""

from collections.abc import Callable

import pytest

from racehound.engine import execution as execution_module
from racehound.engine.company import AFTERWARDS, TIMED_WAIT, UNFINISHED
from racehound.engine.control import CONTROL
from racehound.engine.execution import (
    START_OF_TIME,
    Abort,
    Ending,
    Execution,
    StrandSlot,
    Trace,
)
from racehound.engine.explorer import Explorer
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.engine.spin import CLOCK
from racehound.model.schedule import TaskId
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor
from racehound.strategies.guided import Guided

SHARED = object()


def here() -> Execution:
    execution = CONTROL.here()
    assert execution is not None
    return execution


def touch(*, writes: bool = True, kind: Kind = Kind.WRITE) -> None:
    execution = here()
    execution.step(Operation(kind, (Effect(execution.number(SHARED), WHOLE, writes),), site=1))


def spawn(body: Callable[[], object], subject: object, *, daemon: bool) -> None:
    execution = here()
    execution.step(Operation(Kind.SPAWN, execution.effects_of_spawning(subject)))
    execution.spawn(body, subject, daemon=daemon)


def accept(trace: Trace) -> None:
    del trace


def test_task_starts_another_whose_first_step_comes_after(explorer: Explorer) -> None:
    order: list[str] = []

    def parent() -> None:
        order.append("parent")
        spawn(lambda: order.append("child"), object(), daemon=False)
        order.append("parent again")

    trace = explorer.run(lambda: [parent], Guided([]))

    assert order == ["parent", "parent again", "child"]
    assert [event.operation.kind for event in trace.events] == [Kind.START, Kind.SPAWN, Kind.START]


def test_reduced_search_knows_that_a_task_begins_after_it_was_started(explorer: Explorer) -> None:
    def parent() -> None:
        touch()
        spawn(touch, object(), daemon=False)

    reduced = explorer.search(lambda: [parent], Dpor(), accept, seconds=5)
    brute = explorer.search(lambda: [parent], DepthFirst(), accept, seconds=5)

    assert (reduced.executions, brute.executions) == (1, 1)


def test_too_many_tasks_are_refused(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution_module, "TASK_LIMIT", 1)

    trace = explorer.run(lambda: [lambda: spawn(touch, object(), daemon=False)], Guided([]))

    assert "more than 1 threads" in str(trace.broken_by)


@pytest.mark.parametrize(("daemon", "ending"), [(True, Ending.COMPLETE), (False, Ending.DEADLOCK)])
def test_only_daemons_are_left_behind(explorer: Explorer, daemon: bool, ending: Ending) -> None:
    def wait() -> None:
        here().step(Operation(Kind.WAIT, (), ready=lambda: False))

    def parent() -> None:
        spawn(wait, object(), daemon=daemon)
        touch()

    trace = explorer.run(lambda: [parent], Guided([(TaskId(0), 3)]))

    assert trace.ending is ending


def test_daemon_goes_on_until_it_is_done(explorer: Explorer) -> None:
    trace = explorer.run(lambda: [lambda: spawn(touch, object(), daemon=True)], Guided([]))

    assert trace.caveats == set()
    assert trace.tasks[1].done
    assert trace.tasks[1].steps == 1


def _touch_for_ever() -> None:
    while True:
        touch()


def _sleep_for_ever() -> None:
    while True:
        here().step(Operation(Kind.YIELD, ()))


@pytest.mark.parametrize(("body", "steps"), [(_touch_for_ever, AFTERWARDS - 1), (_sleep_for_ever, 0)])
def test_daemon_that_could_have_gone_on_is_a_caveat(
    explorer: Explorer, body: Callable[[], None], steps: int
) -> None:
    trace = explorer.run(lambda: [lambda: spawn(body, object(), daemon=True)], Guided([]))

    assert trace.caveats == {UNFINISHED}
    assert trace.tasks[1].steps == steps


def test_error_of_unwinding_is_not_the_programs(explorer: Explorer) -> None:
    def wait() -> None:
        try:
            here().step(Operation(Kind.WAIT, (), ready=lambda: False))
        finally:
            raise KeyError("while unwinding")

    trace = explorer.run(lambda: [wait], Guided([]))

    assert (trace.ending, trace.tasks[0].error) == (Ending.DEADLOCK, None)


def timed(seconds: float, ready: Callable[[], bool] = lambda: False) -> float:
    execution = here()
    execution.step(Operation(Kind.WAIT, (), ready=ready, deadline=execution.now + seconds))
    return execution.now - START_OF_TIME


def test_earliest_wait_expires_first_and_only_when_nobody_else_can_go_on(explorer: Explorer) -> None:
    order: list[object] = []

    def other() -> None:
        touch()
        order.append("other")

    trace = explorer.run(
        lambda: [lambda: order.append(timed(3)), lambda: order.append(timed(2)), other], Guided([])
    )

    assert order == ["other", 2.0, 3.0]
    assert trace.caveats == {TIMED_WAIT}


def test_wait_that_is_over_in_time_does_not_move_the_clock(explorer: Explorer) -> None:
    trace = explorer.run(lambda: [lambda: timed(3, lambda: True)], Guided([]))

    assert trace.tasks[0].result == 0.0
    assert trace.caveats == set()


def test_impatient_search_lets_waits_expire_at_any_moment(explorer: Explorer) -> None:
    first: set[object] = set()

    def make() -> list[Callable[[], object]]:
        order: list[str] = []

        def wait() -> None:
            timed(9)
            order.append("wait")
            first.add(order[0])

        def other() -> None:
            touch()
            order.append("other")

        return [wait, other]

    search = explorer.search(make, DepthFirst(), accept, seconds=5, impatient=True)

    assert first == {"wait", "other"}
    assert search.caveats == set()


# -- loops that look -------------------------------------------------------------------------------


def spin_until(flag: list[int]) -> None:
    while not flag:
        touch(writes=False, kind=Kind.READ)


def test_looking_for_what_nobody_writes_is_a_livelock(explorer: Explorer) -> None:
    assert explorer.run(lambda: [lambda: spin_until([])], Guided([])).ending is Ending.LIVELOCK


def test_who_looks_goes_on_when_somebody_writes(explorer: Explorer) -> None:
    def make() -> list[Callable[[], object]]:
        flag: list[int] = []

        def write() -> None:
            touch()
            flag.append(1)

        return [lambda: spin_until(flag), write]

    trace = explorer.run(make, Guided([]))

    assert trace.ending is Ending.COMPLETE
    assert trace.caveats == set()


def test_loop_that_counts_is_no_spin(explorer: Explorer) -> None:
    def read_often() -> int:
        count = 0
        while count < 500:
            count += 1
            touch(writes=False, kind=Kind.READ)
        return count

    trace = explorer.run(lambda: [read_often], Guided([]))

    assert (trace.ending, trace.tasks[0].result) == (Ending.COMPLETE, 500)
    assert trace.caveats == set()


def test_loop_that_waits_for_the_clock_is_no_spin(explorer: Explorer) -> None:
    def wait() -> None:
        execution = here()
        clock = (Effect(execution.number_of(("clock",)), WHOLE, writes=False),)
        while execution.now < START_OF_TIME + 500:
            execution.step(Operation(Kind.READ, clock, site=1, label=CLOCK))
            execution.now += 1

    assert explorer.run(lambda: [wait], Guided([])).ending is Ending.COMPLETE


def test_loop_that_writes_is_no_spin(explorer: Explorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution_module, "STEP_LIMIT", 400)

    def spin() -> None:
        while True:
            touch()

    assert explorer.run(lambda: [spin], Guided([])).ending is Ending.OVERRUN


# -- strands ---------------------------------------------------------------------------------------


def test_turn_of_a_strand_is_one_operation_with_all_its_effects(explorer: Explorer) -> None:
    def host() -> None:
        execution = here()
        own = execution.running
        strand = execution.add_strand(own)
        turn = Operation(Kind.AWAIT, ())
        turn.late = True
        strand.pending = turn
        chosen = execution.rest(own, Operation(Kind.AWAIT, (), ready=lambda: False))
        assert chosen is strand
        assert execution.turns.current is not None
        touch(writes=False)
        touch(writes=False)
        execution.touch(Effect(execution.number(SHARED), "part", writes=True))
        execution.end_strand(strand)
        assert execution.rest(own, Operation(Kind.AWAIT, ())).id == own
        assert execution.turns.current is None

    trace = explorer.run(lambda: [host], Guided([]))

    assert trace.tasks[0].error is None
    turn = trace.events[1].operation
    of_the_loop = 2  # that it is taken, and whether there are threads
    assert (turn.kind, len(turn.inner), len(turn.effects)) == (Kind.AWAIT, 2, 2 + of_the_loop)
    assert turn.signature() == (Kind.AWAIT, 0, ())


def test_strand_has_no_thread_of_its_own() -> None:
    with pytest.raises(AssertionError, match="no thread of its own"):
        StrandSlot()()


def test_host_that_rests_after_the_end_is_unwound(explorer: Explorer) -> None:
    late: list[Execution] = []
    explorer.run(lambda: [lambda: late.append(here())], Guided([]))
    late[0]._running = None

    with pytest.raises(Abort):
        late[0].rest(TaskId(0), Operation(Kind.AWAIT, ()))
