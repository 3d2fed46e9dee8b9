"""What `guard` makes of functions and coroutine functions, and how the ends of calls are judged."""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from drivers.breaker import Clock
from racehound.guard import CircuitBreaker, CircuitOpen, Window
from racehound.guard.breaker import State

NAME = "backend"
WINDOW = Window(calls=10, minimum_calls=10)


class Forms:
    """Settings that lead to each of the forms of a wrapper."""

    plain = functools.partial(CircuitBreaker, 2)
    measured = functools.partial(CircuitBreaker, 2, window=WINDOW)
    managed = functools.partial(CircuitBreaker, 2, report_successes=True)
    judged = functools.partial(CircuitBreaker, 2, failure_result=lambda result: result is None)


FORMS = [Forms.plain, Forms.measured, Forms.managed, Forms.judged]
every_form = pytest.mark.parametrize("make", FORMS, ids=["plain", "measured", "managed", "judged"])


@every_form
def test_arguments_and_result_pass_through(make: Callable[..., CircuitBreaker]) -> None:
    @make().guard(NAME)
    def join(first: str, *rest: str, end: str = "") -> str:
        """Join them."""
        return first + "".join(rest) + end

    assert join("a", "b", "c", end=".") == "abc."
    assert (join.__name__, join.__doc__) == ("join", "Join them.")


@every_form
def test_a_guarded_function_fails_recovers_and_is_probed(make: Callable[..., CircuitBreaker]) -> None:
    clock = Clock()
    breaker = make(clock=clock)
    broken = [True]

    def backend() -> str:
        if broken[0]:
            raise ConnectionError("gone")
        return "answer"

    for function in (breaker.guard(NAME)(backend), breaker.guard(NAME)(lambda *_: backend())):
        broken[0] = True
        breaker.reset(NAME)
        with pytest.raises(ConnectionError):
            function()
        broken[0] = False
        assert function() == "answer"
        assert breaker.failures(NAME) == 0
        broken[0] = True
        for _ in range(2):
            with pytest.raises(ConnectionError):
                function()
        with pytest.raises(CircuitOpen):
            function()
        clock.advance(30.0)
        broken[0] = False
        assert function() == "answer"
        assert breaker.snapshot(NAME).state is State.CLOSED


@every_form
def test_a_guarded_coroutine_function_fails_recovers_and_is_probed(make: Callable[..., CircuitBreaker]) -> None:
    clock = Clock()
    breaker = make(clock=clock)
    broken = [True]

    @breaker.guard(NAME)
    async def backend(answer: str) -> str:
        await asyncio.sleep(0)
        if broken[0]:
            raise ConnectionError("gone")
        return answer

    async def main() -> None:
        with pytest.raises(ConnectionError):
            await backend("answer")
        broken[0] = False
        assert [await backend("one"), await backend("two")] == ["one", "two"]
        assert breaker.failures(NAME) == 0
        broken[0] = True
        for _ in range(2):
            with pytest.raises(ConnectionError):
                await backend("answer")
        with pytest.raises(CircuitOpen):
            await backend("answer")
        clock.advance(30.0)
        broken[0] = False
        assert await backend("answer") == "answer"

    asyncio.run(main())
    assert breaker.snapshot(NAME).state is State.CLOSED


@every_form
def test_a_cancelled_probe_gives_its_permit_back(make: Callable[..., CircuitBreaker]) -> None:
    clock = Clock()
    breaker = make(clock=clock)
    for _ in range(2):
        breaker.record_failure(NAME)
    clock.advance(30.0)

    @breaker.guard(NAME)
    async def hang() -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        probe = asyncio.create_task(hang())
        await asyncio.sleep(0)
        assert breaker.is_open(NAME)
        probe.cancel()
        with pytest.raises(asyncio.CancelledError):
            await probe

    asyncio.run(main())
    assert breaker.allow(NAME) is not None


def test_async_with_a_permit() -> None:
    breaker = CircuitBreaker(1)

    async def main() -> None:
        async with breaker.permit(NAME):
            await asyncio.sleep(0)
        async with breaker.permit(NAME):
            raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        asyncio.run(main())
    assert breaker.is_open(NAME)


def test_objects_with_a_coroutine_for_a_call_are_awaited() -> None:
    class Client:
        async def __call__(self) -> None:
            raise ConnectionError

    breaker = CircuitBreaker(1)
    client = breaker.guard(NAME)(Client())

    with pytest.raises(ConnectionError):
        asyncio.run(client())
    assert breaker.is_open(NAME)


def test_wrong_arguments_are_reported_under_the_name_of_the_function() -> None:
    @CircuitBreaker().guard(NAME)
    def answer() -> int:
        return 42

    with pytest.raises(TypeError, match=r"answer\(\) takes 0 positional arguments"):
        answer(1)  # type: ignore[call-arg]


def test_generators_are_refused_with_the_way_out() -> None:
    def numbers() -> Iterator[int]:
        yield 1

    async def later() -> AsyncIterator[int]:
        yield 1

    class Numbers:
        def __call__(self) -> Iterator[int]:
            yield 1

    functions: list[Callable[..., object]] = [numbers, later, Numbers()]
    for function in functions:
        with pytest.raises(TypeError, match=r"use `with breaker\.permit"):
            CircuitBreaker().guard(NAME)(function)


def test_interruption_is_no_verdict() -> None:
    breaker = CircuitBreaker(1)

    @breaker.guard(NAME)
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert breaker.failures(NAME) == 0


def call_raising(breaker: CircuitBreaker, error: BaseException) -> None:
    @breaker.guard(NAME)
    def raising() -> None:
        raise error

    with pytest.raises(type(error)):
        raising()


def test_only_the_named_exceptions_are_failures_others_are_answers() -> None:
    breaker = CircuitBreaker(5, failure_on=(ConnectionError,))
    call_raising(breaker, ConnectionError())
    call_raising(breaker, ConnectionError())
    assert breaker.failures(NAME) == 2

    call_raising(breaker, ValueError())

    assert breaker.failures(NAME) == 0


def test_a_single_exception_class_is_no_predicate() -> None:
    breaker = CircuitBreaker(5, failure_on=ConnectionError, ignore=KeyError)
    call_raising(breaker, ConnectionRefusedError())
    call_raising(breaker, KeyError())
    assert breaker.failures(NAME) == 1

    call_raising(breaker, ValueError())

    assert breaker.failures(NAME) == 0


@pytest.mark.parametrize("kind", [classmethod, staticmethod])
def test_what_is_no_function_yet_is_refused_with_the_way_out(kind: type) -> None:
    breaker = CircuitBreaker()
    with pytest.raises(TypeError, match=f"put @{kind.__name__} above the guard"):
        breaker.guard(NAME)(kind(len))
    with pytest.raises(TypeError, match="42 cannot be called"):
        breaker.guard(NAME)(42)  # type: ignore[arg-type]  # wrong on purpose


def test_a_coroutine_that_a_decorator_hides_is_no_success_before_it_began() -> None:
    async def raising() -> None:
        raise ConnectionError

    @functools.wraps(raising)
    def handing_on() -> object:
        return raising()

    @functools.wraps(raising)
    def running() -> object:
        return asyncio.run(raising())

    breaker = CircuitBreaker(5)
    with pytest.raises(TypeError, match="below the decorator that hides"):
        breaker.guard(NAME)(handing_on)()
    with pytest.raises(ConnectionError):
        breaker.guard("other")(running)()
    assert breaker.failures("other") == 1


def test_ignored_exceptions_neither_count_nor_reset() -> None:
    breaker = CircuitBreaker(5, ignore=(KeyError,))
    call_raising(breaker, ConnectionError())

    call_raising(breaker, KeyError())

    assert breaker.failures(NAME) == 1


def test_an_interruption_counts_where_it_is_asked_for() -> None:
    breaker = CircuitBreaker(5, failure_on=(KeyboardInterrupt,))

    call_raising(breaker, KeyboardInterrupt())

    assert breaker.failures(NAME) == 1


def test_predicates_decide_by_what_the_exception_holds() -> None:
    breaker = CircuitBreaker(5, failure_on=lambda error: error.args == (503,))
    call_raising(breaker, OSError(404))
    assert breaker.failures(NAME) == 0

    call_raising(breaker, OSError(503))

    assert breaker.failures(NAME) == 1


def raising_predicate(subject: object) -> bool:
    raise RuntimeError("predicate trouble")


def test_a_predicate_that_raises_is_logged_and_the_call_is_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    breaker = CircuitBreaker(5, failure_on=raising_predicate)

    call_raising(breaker, ValueError())

    assert breaker.failures(NAME) == 1
    assert "predicate trouble" in caplog.text


def test_an_ignoring_predicate_that_raises_ignores_nothing(caplog: pytest.LogCaptureFixture) -> None:
    breaker = CircuitBreaker(5, ignore=raising_predicate)

    call_raising(breaker, ValueError())

    assert breaker.failures(NAME) == 1
    assert "predicate trouble" in caplog.text


def test_results_can_be_failures() -> None:
    breaker = CircuitBreaker(2, failure_result=lambda status: status >= 500)
    status = breaker.guard(NAME)(lambda code: code)

    assert [status(code) for code in (500, 200, 503, 503)] == [500, 200, 503, 503]

    with pytest.raises(CircuitOpen) as refused:
        status(200)
    assert refused.value.last_failure == "503"


def test_a_result_whose_predicate_raises_counts_as_a_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    breaker = CircuitBreaker(2, failure_result=raising_predicate)

    assert breaker.guard(NAME)(lambda: "answer")() == "answer"

    assert breaker.failures(NAME) == 1
    assert "predicate trouble" in caplog.text


def test_an_exception_that_cannot_be_printed_is_named_by_its_type() -> None:
    class Unprintable(Exception):
        def __repr__(self) -> str:
            raise RuntimeError

    breaker = CircuitBreaker(5)
    call_raising(breaker, Unprintable())

    assert breaker.snapshot(NAME).last_failure == "Unprintable"


def test_a_long_failure_is_described_in_short() -> None:
    breaker = CircuitBreaker(5)
    breaker.record_failure(NAME, ValueError("x" * 1000))

    assert len(breaker.snapshot(NAME).last_failure or "") == 200


def test_a_stale_result_of_a_guarded_call_is_ignored() -> None:
    breaker = CircuitBreaker(1)

    @breaker.guard(NAME)
    def slow() -> str:
        breaker.record_failure(NAME)
        return "late"

    assert slow() == "late"
    assert breaker.is_open(NAME)
