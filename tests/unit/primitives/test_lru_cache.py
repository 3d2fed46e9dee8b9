"""`functools.lru_cache` under control answers like the original, and lets others in where the original does."""

import functools
from collections.abc import Sequence

import pytest

from unit.primitives.conftest import Body, Both, Outcomes


def with_a_limit(limit: int | None, *, typed: bool = False) -> object:
    calls: list[object] = []

    @functools.lru_cache(maxsize=limit, typed=typed)
    def square(number: float, *, sign: int = 1) -> float:
        """The square."""
        calls.append(number)
        return sign * number * number

    answers = [square(number) for number in (1, 2, 1, 3, 1, 2, 1.0)]
    answers += [square(2, sign=-1), square(2, sign=-1)]
    info = square.cache_info()
    square.cache_clear()
    return answers, calls, tuple(info), tuple(square.cache_info()), square.__name__, square.cache_parameters()


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("limit", [None, 0, 1, 2, 128])
def test_cache_answers_like_the_original(both: Both, limit: int | None, typed: bool) -> None:
    plain, controlled = both(lambda: with_a_limit(limit, typed=typed))

    assert plain == controlled


def test_method_is_bound_as_usual(both: Both) -> None:
    def story() -> object:
        class Thing:
            def __init__(self, base: int) -> None:
                self.base = base

            @functools.cache  # noqa: B019 - the thing does not live long
            def plus(self, number: int) -> int:
                return self.base + number

        one, other = Thing(1), Thing(10)
        return one.plus(1), other.plus(1), one.plus(1), Thing.plus(other, 5), tuple(Thing.plus.cache_info())

    plain, controlled = both(story)

    assert plain == controlled


def test_error_is_not_kept(both: Both) -> None:
    @functools.cache
    def fail(number: int) -> float:
        return 1 / number

    plain, controlled = both(lambda: fail(0))

    assert plain == controlled


def test_two_that_miss_at_the_same_time_both_call_the_function(outcomes: Outcomes) -> None:
    def prepare() -> Sequence[Body]:
        calls: list[int] = []

        @functools.cache
        def make() -> int:
            calls.append(1)
            return len(calls)

        return [make, make]

    assert {answers for _, answers in outcomes(prepare)} >= {(1, 1)}
