"""Circuits shared by processes, on a file and on real servers."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.breaker_processes import NAME, OPEN_SECONDS, break_open, breaker_on, crew, expire, our_child, store_at
from racehound.guard import CircuitBreaker, CircuitOpen
from racehound.guard.breaker import Period, Settings, State
from racehound.guard.breaker.period import Lease, Ticket
from racehound.guard.breaker.store import BreakerStore, Failure
from racehound.guard.breaker.transitions import Moment, failed
from servers import postgres_server, redis_server

# Eight interpreters and a server take their time on a machine that has other things to do.
pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module", params=["sqlite", "redis", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ExitStack() as stack:
        match request.param:
            case "sqlite":
                yield str(tmp_path_factory.mktemp("circuits") / "circuits.db")
            case "redis":
                pytest.importorskip("redis")
                yield stack.enter_context(redis_server()).url
            case _:
                pytest.importorskip("psycopg")
                yield stack.enter_context(postgres_server()).url


@pytest.fixture
def store(server: str) -> Iterator[BreakerStore]:
    made = store_at(server)
    made.change(NAME, lambda period, _: (Period(version=period.version + 1), None))
    yield made
    made.close()


@pytest.mark.slow
def test_one_of_32_callers_in_8_processes_probes_cold_and_warm(server: str, store: BreakerStore) -> None:
    break_open(store)
    with crew(our_child(server), processes=8, threads=4) as callers:
        cold = callers.herd()
        expire(store)
        warm = callers.herd()

    assert (cold, warm) == (1, 1)


@pytest.mark.slow
def test_no_failure_of_8_threads_in_4_processes_is_lost(server: str, store: BreakerStore) -> None:
    breaker = breaker_on(store)

    with crew(our_child(server), processes=4, threads=2) as callers:
        callers.count(25)

        assert callers.total() == breaker.failures(NAME) == 200
    assert breaker.is_open(NAME)


def test_a_breaker_learns_that_another_opened_the_circuit_before_its_first_admission(store: BreakerStore) -> None:
    first, second = breaker_on(store), breaker_on(store)
    for _ in range(3):
        first.record_failure(NAME, ValueError("boom"))

    with pytest.raises(CircuitOpen) as refused:
        second.guard(NAME)(lambda: "called")()

    assert 0 < refused.value.retry_after <= OPEN_SECONDS
    assert refused.value.last_failure == "ValueError('boom')"


def test_a_probe_that_succeeds_closes_the_circuit_for_all(store: BreakerStore) -> None:
    first, second = breaker_on(store), breaker_on(store)
    for _ in range(3):
        first.record_failure(NAME)
    store.change(NAME, lambda period, now: (period.but(until=now - 1), None))

    assert second.guard(NAME)(lambda: "answer")() == "answer"

    assert first.snapshot(NAME).state is State.CLOSED
    assert first.failures(NAME) == 0


def test_a_probe_that_fails_opens_the_circuit_for_all_and_longer(store: BreakerStore) -> None:
    first = CircuitBreaker(3, open_seconds=100.0, backoff=2.0, store=store)
    for _ in range(3):
        first.record_failure(NAME)
    store.change(NAME, lambda period, now: (period.but(until=now - 1), None))

    with pytest.raises(OSError, match="still"), first.permit(NAME):
        raise OSError("still broken")

    assert 150.0 < breaker_on(store).snapshot(NAME).retry_after <= 200.0


def test_a_cancelled_probe_gives_its_lease_back_to_another_process(store: BreakerStore) -> None:
    first, second = breaker_on(store), breaker_on(store)
    for _ in range(3):
        first.record_failure(NAME)
    store.change(NAME, lambda period, now: (period.but(until=now - 1), None))
    permit = first.allow(NAME)
    assert permit is not None
    assert second.allow(NAME) is None

    permit.cancel()

    assert second.allow(NAME) is not None


def test_a_failure_of_an_earlier_period_is_kept_out_by_the_fence(store: BreakerStore) -> None:
    breaker, other = breaker_on(store), breaker_on(store)
    permit = breaker.allow(NAME)
    assert permit is not None
    other.reset(NAME)

    permit.failure(ValueError())

    assert other.failures(NAME) == 0
    assert breaker.failures(NAME) == 0


def test_a_success_resets_the_failures_that_another_process_counted(store: BreakerStore) -> None:
    first, second = breaker_on(store), breaker_on(store)
    first.record_failure(NAME)

    assert second.guard(NAME)(lambda: "answer")() == "answer"

    assert first.failures(NAME) == 0


def test_an_operator_forces_the_circuit_open_for_all(store: BreakerStore) -> None:
    breaker_on(store).force_open(NAME)

    assert breaker_on(store).is_open(NAME)


def test_a_disabled_circuit_counts_nothing(store: BreakerStore) -> None:
    breaker_on(store).disable(NAME)
    other = breaker_on(store)

    other.record_failure(NAME)

    assert other.failures(NAME) == 0


def test_a_window_is_counted_per_process_and_opens_the_circuit_for_all(store: BreakerStore) -> None:
    from racehound.guard import Window  # noqa: PLC0415

    first = CircuitBreaker(window=Window(calls=10, minimum_calls=4, failure_rate=0.5), store=store)
    for failing in (False, True, False, True):
        with first.permit(NAME) as permit:
            if failing:
                permit.failure()

    assert breaker_on(store).is_open(NAME)


def test_namespaces_do_not_meet(server: str) -> None:
    one, other = store_at(server), store_at(server)
    other.namespace = "other"  # type: ignore[attr-defined]  # every store of ours has one
    for _ in range(3):
        breaker_on(one).record_failure("namespaced")

    assert breaker_on(one).is_open("namespaced")
    assert not breaker_on(other).is_open("namespaced")
    one.close()
    other.close()


leases = st.builds(Lease, st.integers(0, 9), st.floats(0, 1e9))
periods = st.builds(
    Period,
    state=st.sampled_from(State),
    version=st.integers(0, 2**50),
    failures=st.integers(0, 5),
    successes=st.integers(0, 5),
    attempt=st.integers(0, 5),
    until=st.floats(0, 1e9),
    probes=st.lists(leases, max_size=3).map(tuple),
    leased=st.integers(0, 9),
    last_failure=st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1),
)


@settings(max_examples=30, deadline=None, database=None)
@given(period=periods)
def test_a_store_gives_back_the_period_that_was_put_into_it(server: str, period: Period) -> None:
    store = store_at(server)
    store.change("round trip", lambda _, __: (period, None))

    assert store.read("round trip").period == period
    store.close()


@settings(max_examples=40, deadline=None, database=None)
@given(period=periods, fenced=st.booleans(), limit=st.integers(1, 6))
def test_the_statement_for_a_failure_does_what_the_state_machine_says(
    server: str, period: Period, limit: int, *, fenced: bool
) -> None:
    store = store_at(server)
    closed = period.but(state=State.CLOSED, probes=())
    store.change("statement", lambda _, __: (closed, None))
    version = closed.version + fenced

    reading = store.fail("statement", Failure(version=version, limit=limit, open_for=50.0, text="text"))

    if fenced:
        assert reading is None
        assert store.read("statement").period == closed
    else:
        assert reading is not None
        rules = Settings(failure_threshold=limit, open_seconds=50.0)
        expected = failed(closed, Ticket(version), Moment(reading.now, failure="text"), rules)
        kept = reading.period.but(until=0.0, successes=0, probes=(), leased=0)
        assert kept == expected.but(until=0.0, successes=0, probes=(), leased=0)
        assert reading.period.until == pytest.approx(expected.until, abs=1.0)
    store.close()
