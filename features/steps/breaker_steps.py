"""The breaker as a service developer meets it; every step hands on to the shared driver."""

import asyncio
import random
from collections.abc import Callable
from functools import partial

from behave import given, then, when
from behave.runner import Context

from drivers.breaker import Broken, Clock, OurCircuit, task_herd, thread_herd, together
from racehound.guard import CircuitBreaker, CircuitOpen, SqliteBreakerStore

OPEN_SECONDS = 30.0


def record_failures(breaker: CircuitBreaker, name: str, number: int) -> None:
    for _ in range(number):
        breaker.record_failure(name)


def raising(error: BaseException) -> Callable[[], None]:
    def call() -> None:
        raise error

    return call


@given("a circuit breaker with a threshold of {threshold:d}")
def breaker_with_threshold(context: Context, threshold: int) -> None:
    context.clock = Clock()
    context.breaker = CircuitBreaker(threshold, open_seconds=OPEN_SECONDS, clock=context.clock)


@given('"{name}" is open and its open time is over')
def open_time_is_over(context: Context, name: str) -> None:
    record_failures(context.breaker, name, 3)
    context.clock.advance(OPEN_SECONDS)


@given("two circuit breakers that share a file")
def two_breakers(context: Context) -> None:
    stores = [SqliteBreakerStore(context.directory / "circuits.db", refresh_seconds=0.0) for _ in range(2)]
    for store in stores:
        context.add_cleanup(store.close)
    context.first, context.second = (CircuitBreaker(3, store=store) for store in stores)


@when('{threads:d} threads record {each:d} failures each for "{name}"')
def threads_record(context: Context, threads: int, each: int, name: str) -> None:
    together(*[partial(record_failures, context.breaker, name, each)] * threads)


@when('{number:d} failures are recorded for "{name}"')
@when('{number:d} failure is recorded for "{name}"')
def failures_are_recorded(context: Context, number: int, name: str) -> None:
    record_failures(context.breaker, name, number)


@when("{threads:d} threads record failures and successes of {names:d} names at random")
def records_at_random(context: Context, threads: int, names: int) -> None:
    context.names = [f"name {number}" for number in range(names)]

    def worker(seed: int) -> None:
        chance = random.Random(seed)  # noqa: S311 - a different but fixed order for each thread
        for _ in range(400):
            is_failure = chance.random() < 0.7
            record = context.breaker.record_failure if is_failure else context.breaker.record_success
            record(chance.choice(context.names))

    together(*(partial(worker, seed) for seed in range(threads)))


@when('{threads:d} threads record {each:d} failures each for "{name}" while another resets it {resets:d} times')
def failures_beside_resets(context: Context, threads: int, each: int, name: str, resets: int) -> None:
    def reset() -> None:
        for _ in range(resets):
            context.breaker.reset(name)

    together(*[partial(record_failures, context.breaker, name, each)] * threads, reset)


@when('{threads:d} threads ask for the circuit of "{name}" at once')
def threads_ask(context: Context, threads: int, name: str) -> None:
    context.found = []
    together(*[lambda: context.found.append(context.breaker.circuit(name))] * threads)


@when('{callers:d} threads call "{name}" at once')
def threads_call(context: Context, callers: int, name: str) -> None:
    context.result = thread_herd(OurCircuit(context.breaker, context.clock, name), callers)


@when('{callers:d} tasks call "{name}" at once')
def tasks_call(context: Context, callers: int, name: str) -> None:
    context.result = asyncio.run(task_herd(OurCircuit(context.breaker, context.clock, name), callers))


@when('a call of "{name}" succeeds')
def call_succeeds(context: Context, name: str) -> None:
    assert context.breaker.guard(name)(lambda: "answer")() == "answer"


@when('a call of "{name}" fails')
def call_fails(context: Context, name: str) -> None:
    assert_raises(Broken, context.breaker.guard(name)(raising(Broken())))


@when('a call of "{name}" is cancelled')
def call_is_cancelled(context: Context, name: str) -> None:
    assert_raises(KeyboardInterrupt, context.breaker.guard(name)(raising(KeyboardInterrupt())))


@when('a call of "{name}" is attempted')
def call_is_attempted(context: Context, name: str) -> None:
    context.refusal = assert_raises(CircuitOpen, context.breaker.guard(name)(lambda: "answer"))


@when('a slow call of "{name}" succeeds after {number:d} failures were recorded')
def slow_call(context: Context, name: str, number: int) -> None:
    context.breaker.guard(name)(lambda: record_failures(context.breaker, name, number))()


@when('the first records {number:d} failures for "{name}"')
def first_records(context: Context, number: int, name: str) -> None:
    record_failures(context.first, name, number)


@when('the first resets "{name}"')
def first_resets(context: Context, name: str) -> None:
    context.first.reset(name)


@then('"{name}" has {number:d} failures')
def has_failures(context: Context, name: str, number: int) -> None:
    assert context.breaker.failures(name) == number, context.breaker.snapshot(name)


@then('"{name}" is open')
def is_open(context: Context, name: str) -> None:
    assert context.breaker.is_open(name), context.breaker.snapshot(name)


@then('"{name}" is closed')
def is_closed(context: Context, name: str) -> None:
    assert context.breaker.snapshot(name).state == "closed", context.breaker.snapshot(name)


@then('the next call of "{name}" would be admitted')
def would_be_admitted(context: Context, name: str) -> None:
    assert not context.breaker.is_open(name), context.breaker.snapshot(name)


@then("exactly the names with at least {threshold:d} failures are open")
def open_and_count_agree(context: Context, threshold: int) -> None:
    for name in context.names:
        shot = context.breaker.snapshot(name)
        assert context.breaker.is_open(name) == (shot.failures >= threshold), shot


@then("after a reset and {number:d} failures every name is open")
def every_name_opens(context: Context, number: int) -> None:
    context.breaker.reset_all()
    for name in context.names:
        assert not context.breaker.is_open(name), context.breaker.snapshot(name)
        record_failures(context.breaker, name, number)
        assert context.breaker.is_open(name), context.breaker.snapshot(name)


@then('"{name}" is open exactly if it has at least {threshold:d} failures')
def open_exactly_if(context: Context, name: str, threshold: int) -> None:
    shot = context.breaker.snapshot(name)
    assert context.breaker.is_open(name) == (shot.failures >= threshold), shot


@then("they all got the same one")
def same_circuit(context: Context) -> None:
    assert len({id(circuit) for circuit in context.found}) == 1


@then("{number:d} of them reaches the backend")
def reaches_the_backend(context: Context, number: int) -> None:
    assert context.result.detail.startswith(f"{number} of "), context.result


@then('it is refused for {seconds:d} seconds because of "{cause}"')
def refused_because(context: Context, seconds: int, cause: str) -> None:
    assert context.refusal.retry_after == seconds, context.refusal
    assert context.refusal.last_failure == cause, context.refusal


@then('the second refuses a call of "{name}"')
def second_refuses(context: Context, name: str) -> None:
    assert_raises(CircuitOpen, context.second.guard(name)(lambda: "answer"))


@then('the second makes a call of "{name}"')
def second_calls(context: Context, name: str) -> None:
    assert context.second.guard(name)(lambda: "answer")() == "answer"


def assert_raises(expected: type[BaseException], function: Callable[[], object]) -> BaseException:
    try:
        function()
    except expected as error:
        return error
    raise AssertionError(f"{expected.__name__} was not raised")
