"""The situations in which circuit breakers go wrong, each on ours."""

from collections.abc import Callable

import pytest

from drivers.breaker import CASES, MakeSubject, Result, ours


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_our_breaker_stands_the_case(case: Callable[[MakeSubject], Result]) -> None:
    result = case(ours)

    assert result.passed, result.detail
