"""The known ways to get a fan-out wrong: ours holds, and the cases can fail."""

import pytest

from drivers.executor_cases import CASES, bare_pool, strategy_executor


@pytest.mark.parametrize("case", CASES)
def test_the_executor_holds(case: str) -> None:
    assert CASES[case](strategy_executor)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_bare_pool_does_not(case: str) -> None:
    assert not CASES[case](bare_pool)
