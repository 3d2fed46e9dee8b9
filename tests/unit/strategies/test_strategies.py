import pytest

from racehound.engine.operation import START, WHOLE, Effect, Kind, ObjectId, Operation
from racehound.errors import ReplayDrift
from racehound.model.schedule import Schedule, TaskId
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor
from racehound.strategies.guided import Guided
from racehound.strategies.replay import Replay

A, B = TaskId(0), TaskId(1)
WRITE = Operation(Kind.WRITE, (Effect(ObjectId(0), WHOLE, writes=True),))
OTHER = Operation(Kind.WRITE, (Effect(ObjectId(1), WHOLE, writes=True),))


def test_replay_follows_the_schedule_and_then_lets_the_running_task_go_on() -> None:
    replay = Replay(Schedule((A, B)))

    assert replay.start_execution()
    assert [replay.choose([A, B], None, {}) for _ in range(2)] == [A, B]
    assert replay.choose([A, B], B, {}) == B
    assert replay.choose([A], B, {}) == A
    replay.end_execution({})
    assert not replay.start_execution()


def test_replay_says_where_the_program_drifts() -> None:
    with pytest.raises(ReplayDrift, match="step 0 of the schedule wants task 1"):
        Replay(Schedule((B,))).choose([A], None, {})


def test_guided_grants_wishes_as_far_as_it_can() -> None:
    guided = Guided([(A, 1), (B, None), (A, None)])

    assert guided.start_execution()
    assert guided.choose([A, B], None, {}) == A
    assert guided.choose([A, B], A, {}) == B
    assert guided.choose([A], B, {}) == A
    assert guided.choose([B], A, {}) == B
    assert guided.choose([A, B], B, {}) == B
    guided.end_execution({})
    assert not guided.start_execution()


def test_guided_keeps_a_wish_for_a_thread_that_nobody_has_started_yet() -> None:
    guided = Guided([(B, 1), (A, None), (B, None)])

    assert guided.choose([A], None, {A: WRITE}) == A
    assert guided.choose([A, B], A, {A: WRITE, B: WRITE}) == B
    assert guided.choose([A, B], B, {A: WRITE, B: WRITE}) == A
    assert guided.choose([B], A, {B: WRITE}) == B


def test_guided_drops_a_wish_for_a_task_that_is_done() -> None:
    guided = Guided([(B, 2), (A, 1), (B, None)])

    assert guided.choose([A, B], None, {A: WRITE, B: WRITE}) == B
    assert guided.choose([A], B, {A: WRITE}) == A
    assert guided.choose([A], A, {A: WRITE}) == A


def test_depth_first_tries_every_choice_once() -> None:
    strategy = DepthFirst()
    seen = []
    while strategy.start_execution():
        seen.append((strategy.choose([A, B], None, {}), strategy.choose([A, B], None, {})))
        strategy.end_execution({})

    assert seen == [(A, A), (A, B), (B, A), (B, B)]


def test_depth_first_notices_a_program_that_changes_by_itself() -> None:
    strategy = DepthFirst()
    strategy.choose([A, B], None, {})
    strategy.end_execution({})
    strategy.start_execution()

    with pytest.raises(ReplayDrift):
        strategy.choose([A], None, {})


def run(strategy: Dpor, first: Operation, second: Operation) -> list[TaskId]:
    """Two tasks with one operation each after their start."""
    left = {A: [START, first], B: [START, second]}
    chosen = [task for task, _ in strategy.beginning]
    for task in chosen:
        left[task].pop(0)
    while any(left.values()):
        pending = {task: steps[0] for task, steps in left.items() if steps}
        choice = strategy.choose(list(pending), chosen[-1] if chosen else None, pending)
        if choice is None:
            break
        left[choice].pop(0)
        chosen.append(choice)
    strategy.end_execution({task: steps[0] for task, steps in left.items() if steps})
    return chosen


def test_independent_operations_need_one_execution() -> None:
    strategy = Dpor()

    assert strategy.start_execution()
    assert run(strategy, WRITE, OTHER) == [A, A, B, B]
    assert not strategy.start_execution()
    assert strategy.exhausted


def test_dependent_operations_are_tried_in_both_orders() -> None:
    strategy = Dpor()
    orders = []
    while strategy.start_execution():
        steps = run(strategy, WRITE, WRITE)
        orders.append(steps[-1])

    assert set(orders) == {A, B}


def test_dpor_notices_a_program_that_changes_by_itself() -> None:
    strategy = Dpor()
    run(strategy, WRITE, WRITE)
    strategy.start_execution()

    with pytest.raises(ReplayDrift, match="differs although all choices before it were the same"):
        strategy.choose([A], None, {A: START})
