"""What holds for every strategy that draws schedules or bounds them."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from drivers.simulation import Program, endings, every_ending, schedules
from racehound.engine.strategy import SearchStrategy
from racehound.errors import ReplayDrift, UsageError
from racehound.model.schedule import TaskId
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.limited import Limited
from racehound.strategies.pct import ProbabilisticConcurrencyTesting
from racehound.strategies.portfolio import EQUAL_ROUNDS, LATER_SHARE, Portfolio
from racehound.strategies.pos import PartialOrderSampling
from racehound.strategies.preemption_bound import PreemptionBound
from racehound.strategies.random_walk import RandomWalk
from racehound.strategies.registry import NAMES, Choice
from racehound.strategies.urw import UniformRandomWalk

A, B = TaskId(0), TaskId(1)
SEEDED: dict[str, Callable[[int], SearchStrategy]] = {
    "pos": lambda seed: PartialOrderSampling(seed=seed),
    "urw": lambda seed: UniformRandomWalk(seed=seed),
    "pct": lambda seed: ProbabilisticConcurrencyTesting(seed=seed),
    "random-walk": lambda seed: RandomWalk(seed=seed),
    "portfolio": lambda seed: Portfolio(seed=seed),
}
UPDATE = [("read", 0), ("write", 0)]
LOCKED = [("acquire", 0), *UPDATE, ("release", 0)]
CROSSED: Program = [[("acquire", 0), ("acquire", 1)], [("acquire", 1), ("acquire", 0)]]
SIGNALLED: Program = [[("set", 0), ("write", 0)], [("wait", 0), ("read", 0)]]
MIXED: Program = [[*UPDATE, ("read", 1)], [("write", 1), *UPDATE], [("list", 0), ("write", 0)]]


@pytest.mark.parametrize("make", SEEDED.values(), ids=SEEDED)
def test_same_seed_gives_the_same_schedules(make: Callable[[int], SearchStrategy]) -> None:
    first, second, other = (schedules(MIXED, Limited(make(seed), 20)) for seed in (7, 7, 8))

    assert len(first) == 20
    assert first == second != other


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("make", SEEDED.values(), ids=SEEDED)
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("program", [[UPDATE] * 2, CROSSED, SIGNALLED], ids=["update", "crossed", "signalled"])
def test_every_final_state_of_a_small_program_is_drawn(
    make: Callable[[int], SearchStrategy], seed: int, program: Program
) -> None:
    reached, _ = endings(program, Limited(make(seed), 150))

    assert reached == every_ending(program)


@pytest.mark.parametrize("make", [SEEDED[name] for name in ("pos", "urw", "pct", "random-walk")])
def test_drawing_is_never_exhaustive(make: Callable[[int], SearchStrategy]) -> None:
    strategy = make(0)

    endings([UPDATE], Limited(strategy, 5))

    assert (strategy.exhausted, strategy.bound) == (False, None)


def preemptions(program: Program, choices: tuple[TaskId, ...]) -> int:
    """Switches away from a task that had steps left; nothing blocks in these programs."""
    left = {TaskId(task): 1 + len(steps) for task, steps in enumerate(program)}
    count = 0
    for before, after in pairwise(choices):
        left[before] -= 1
        count += after != before and left[before] > 0
    return count


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_bound_means_every_schedule_with_so_many_preemptions_and_no_other(limit: int) -> None:
    program = [UPDATE, UPDATE, [("read", 0)]]
    strategy = PreemptionBound(limit=limit)

    tried = schedules(program, strategy)

    everything = schedules(program, DepthFirst())
    assert set(tried) == {choices for choices in everything if preemptions(program, choices) <= limit}
    assert (strategy.exhausted, strategy.bound) == (False, limit)


def test_simplest_schedules_come_first() -> None:
    program = [UPDATE, UPDATE]

    counts = [preemptions(program, choices) for choices in schedules(program, PreemptionBound(limit=2))]

    assert counts[:2] == [0, 0]
    assert set(counts[: counts.index(2)]) == {0, 1}


def test_bound_that_cuts_nothing_is_exhaustive() -> None:
    strategy = PreemptionBound()

    tried = schedules([UPDATE, UPDATE], strategy)

    assert strategy.exhausted
    assert set(tried) == set(schedules([UPDATE, UPDATE], DepthFirst()))


def test_bounded_search_notices_a_program_that_changes_by_itself() -> None:
    strategy = PreemptionBound()
    strategy.start_execution()
    strategy.choose([A, B], None, {})
    strategy.end_execution({})
    strategy.start_execution()

    with pytest.raises(ReplayDrift):
        strategy.choose([A], None, {})


def test_portfolio_is_exhausted_when_its_prover_is() -> None:
    strategy = Portfolio(groups=[0, 0])

    _, executions = endings([LOCKED, LOCKED], strategy)

    assert (strategy.exhausted, strategy.bound, executions) == (True, None, 1)
    assert not strategy.start_execution()


def test_portfolio_cut_short_proves_nothing() -> None:
    strategy = Portfolio()

    endings(MIXED, Limited(strategy, 4))

    assert not strategy.exhausted


def test_sampling_fades_when_it_has_had_its_chance() -> None:
    strategy = Portfolio()
    turns = [next(strategy._turns) for _ in range(2 + 3 * EQUAL_ROUNDS + LATER_SHARE + 2)]

    assert turns[:5] == [0, 0, 0, 1, 2]
    assert turns[2 : 2 + 3 * EQUAL_ROUNDS] == [0, 1, 2] * EQUAL_ROUNDS
    assert turns[2 + 3 * EQUAL_ROUNDS :] == [0] * LATER_SHARE + [1, 2]


@pytest.mark.parametrize("name", NAMES)
def test_every_strategy_has_a_name(name: str) -> None:
    strategy = Limited(Choice(name, seed=3).make([0, 0]), 5)

    reached, executions = endings([UPDATE, UPDATE], strategy)

    assert reached
    assert 0 < executions <= 5
    assert strategy.bound in (None, 0)


def test_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="there is no strategy simulated-annealing") as caught:
        Choice("simulated-annealing")

    assert "portfolio" in str(caught.value.hint)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("seed", range(10))
def test_walk_that_looks_at_one_object_lets_a_late_task_catch_up(seed: int) -> None:
    late = [*[("write", 1)] * 30, *UPDATE]
    program: Program = [UPDATE, late]

    reached, _ = endings(program, Limited(UniformRandomWalk(seed=seed), 100))

    assert reached == every_ending(program)
