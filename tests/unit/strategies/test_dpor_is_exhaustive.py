"""The reduced search reaches every final state and every deadlock that there is: held against all states.

Programs are drawn at random from bare operations, so that nothing but the search itself is on trial.
"""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.simulation import Ending, Program, endings, every_ending
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor
from racehound.strategies.limited import Limited

VERBS = ("read", "skip", "write", "clear", "list", "own")
WAITING = ("acquire", "release", "try", "locked", "set", "wait")
MOST_EXECUTIONS = 3_000

steps = st.tuples(st.sampled_from(VERBS + WAITING), st.sampled_from((0, 1)))
locked = st.tuples(st.sampled_from(("acquire", "release", "try", "read", "write")), st.just(0))
bodies = st.lists(steps, min_size=1, max_size=3).map(tuple) | st.lists(locked, min_size=1, max_size=4).map(tuple)
programs = st.lists(bodies, min_size=2, max_size=3) | st.lists(
    bodies.map(lambda body: body[:2]), min_size=4, max_size=4
)


@given(programs)
@settings(max_examples=150, deadline=None, derandomize=True)
@pytest.mark.usefixtures("unmeasured")
def test_search_reaches_every_final_state(program: Program) -> None:
    strategy = Limited(Dpor(), MOST_EXECUTIONS)
    reached, _ = endings(program, strategy)

    assert reached <= every_ending(program)
    assert not strategy.exhausted or reached == every_ending(program)


queueing = st.sampled_from(("put", "put", "take", "take", "poll", "done", "join", "raise", "any", "read", "write"))
hand_overs = st.lists(
    st.lists(st.tuples(queueing, st.sampled_from((0, 0, 1))), min_size=1, max_size=4).map(tuple),
    min_size=2,
    max_size=4,
)


@given(hand_overs)
@settings(max_examples=60, deadline=None, derandomize=True)
@pytest.mark.usefixtures("unmeasured")
def test_search_reaches_every_final_state_of_what_is_handed_over(program: Program) -> None:
    strategy = Limited(Dpor(), MOST_EXECUTIONS)
    reached, _ = endings(program, strategy)

    assert reached <= every_ending(program)
    assert not strategy.exhausted or reached == every_ending(program)


@pytest.mark.usefixtures("unmeasured")
@given(st.lists(bodies, min_size=1, max_size=2), st.lists(st.integers(0, 1), min_size=2, max_size=4))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_identical_tasks_lose_no_final_state_but_for_names(
    kinds: Sequence[tuple[object, ...]], mix: list[int]
) -> None:
    groups = [number % len(kinds) for number in mix]
    program: Program = [kinds[group][: 5 - len(mix)] for group in groups]  # type: ignore[misc]  # steps are pairs
    strategy = Limited(Dpor(groups), MOST_EXECUTIONS)
    reached, _ = endings(program, strategy)

    expected = {without_names(ending, groups) for ending in every_ending(program)}
    assert {without_names(ending, groups) for ending in reached} <= expected
    assert not strategy.exhausted or {without_names(ending, groups) for ending in reached} == expected


def without_names(ending: Ending, groups: Sequence[int]) -> Ending:
    """The final state with the tasks of each kind in an order of their own."""
    *shared, tasks = ending
    assert isinstance(tasks, tuple)
    return (*shared, tuple(sorted((group, repr(task)) for group, task in zip(groups, tasks, strict=True))))


SLIPPERY: dict[str, Program] = {
    "who begins is not who races": [[("write", 0)], [("read", 0)], [("read", 0)]],
    "a lock that nobody holds is released": [
        [("release", 1), ("acquire", 0), ("acquire", 1)],
        [("acquire", 1), ("release", 0), ("release", 0)],
    ],
    "a lock is tried while it is held": [
        [("try", 1), ("release", 1), ("try", 0), ("try", 0)],
        [("acquire", 0), ("acquire", 0), ("release", 0)],
    ],
    "cut short while another task is blocked": [
        [("write", 1), ("clear", 0)],
        [("write", 0), ("acquire", 0)],
        [("acquire", 0), ("clear", 1)],
    ],
    "two wait for one signal": [[("wait", 0), ("write", 0)], [("set", 0)], [("wait", 0), ("write", 1)]],
}


@pytest.mark.parametrize("program", SLIPPERY.values(), ids=SLIPPERY)
def test_search_is_not_misled(program: Program) -> None:
    reached, executions = endings(program, Dpor())
    brute, all_of_them = endings(program, DepthFirst())

    assert reached == brute == every_ending(program)
    assert executions < all_of_them


@pytest.mark.parametrize(
    ("body", "most"),
    [
        ([("acquire", 0), ("read", 0), ("write", 0), ("release", 0)], 1),
        ([("read", 0)], 1),
        ([("write", 0)], 1),
        ([("own", 0), ("acquire", 0), ("write", 0), ("release", 0)], 1),
    ],
)
def test_ten_identical_tasks_are_not_ten_factorial(body: list[tuple[str, int]], most: int) -> None:
    _, executions = endings([body] * 10, Dpor([0] * 10))

    assert executions <= most


def test_identical_tasks_part_when_one_has_seen_more() -> None:
    program = [[("read", 0), ("write", 0)]] * 3

    reached, executions = endings(program, Dpor([0, 0, 0]))

    assert {without_names(e, [0, 0, 0]) for e in reached} == {
        without_names(e, [0, 0, 0]) for e in every_ending(program)
    }
    assert executions < endings(program, Dpor())[1]
