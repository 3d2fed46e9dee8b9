from itertools import permutations

import pytest

from racehound.errors import HarnessError
from racehound.model.proof import ScenarioText
from racehound.scenario.fold import Fold
from racehound.scenario.plan import Plan, plan_of


def no_key(results: list[object]) -> str:
    return repr(results)


def test_few_orders_are_all_taken() -> None:
    fold = Fold([0, 0, 1], [1, 1, 1])

    assert list(fold.orders()) == sorted(permutations(range(3)))
    assert fold.sorted_results([[2], [1], [0]], no_key) == [[2], [1], [0]]
    assert fold.representatives([0, 1, 0], [2, 0]) == ([0, 1, 0], [2, 0])


def test_order_within_a_task_is_kept() -> None:
    assert list(Fold([0, 1], [2, 1]).orders()) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]


def test_ten_identical_tasks_have_one_order() -> None:
    fold = Fold([0] * 10, [1] * 10)

    assert list(fold.orders()) == [tuple(range(10))]
    assert fold.sorted_results([[3], [1], [2]], no_key) == [[1], [2], [3]]


def test_identical_tasks_begin_in_the_order_of_their_numbers() -> None:
    orders = list(Fold([0, 0, 0, 1, 1, 1, 1], [1] * 7).orders())

    assert len(orders) == 35
    assert all([task for task in order if task < 3] == [0, 1, 2] for order in orders)


def test_too_many_orders_are_refused_with_a_way_out() -> None:
    with pytest.raises(HarnessError, match="in 40320 ways, too many to compare with") as caught:
        Fold(range(8), [1] * 8).orders()

    assert "invariant" in str(caught.value.hint)


def test_who_waits_is_told_without_names() -> None:
    fold = Fold([0, 0, 0, 0, 1, 1, 1], [1] * 7)

    assert fold.representatives([0, 1, 0, 1, 0, 1, 0], [0, 2, 4]) == ([1, 1, 0, 0, 1, 0, 0], [2, 5])


def test_tasks_are_identical_if_they_do_the_same_to_the_same() -> None:
    class Thing:
        def method(self, _: object) -> None: ...

    one, other = Thing(), Thing()
    text = ScenarioText(setup="", prefix=(), tasks=())
    plan = Plan(Thing, [[one.method], [one.method], [other.method], [print], [print, print]], text)

    assert plan.groups == (0, 0, 1, 2, 3)


def test_equal_source_makes_identical_tasks() -> None:
    text = ScenarioText(setup="None", prefix=(), tasks=(("len('a')",), ("len('b')",), ("len('a')",)))

    assert plan_of(text, {}).groups == (0, 1, 0)
