"""The situations in which circuit breakers go wrong, each on ours.

The numbers are those of the table that benchmarks/breaker.py prints. Cases that need more than one circuit in one
process stand elsewhere: probes per process, leases that are read and then written, cold processes, and reads
before the lock (E12 to E15) in test_breaker_stores, coroutines and blocking stores (E16) in test_breaker_outage.
Those of the executor (E17 to E20) are in test_executor_cases.
"""

from collections.abc import Callable

import pytest

from drivers.breaker import CASES, MakeSubject, Result, ours


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_our_breaker_stands_the_case(case: Callable[[MakeSubject], Result]) -> None:
    result = case(ours)

    assert result.passed, result.detail
