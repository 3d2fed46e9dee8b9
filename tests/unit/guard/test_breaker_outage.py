"""A shared store that goes away and comes back, and coroutines that must not wait for it."""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from drivers.breaker import Clock
from racehound.guard import (
    BreakerEvent,
    CircuitBreaker,
    CircuitOpen,
    PostgresBreakerStore,
    RedisBreakerStore,
    SqliteBreakerStore,
)
from racehound.guard.breaker import EventKind, Period, State, StoreUnavailable
from racehound.guard.breaker.keeper import Transition
from racehound.guard.breaker.store import BreakerStore, Failure, Reading
from servers import postgres_server, redis_server

NAME = "backend"
T = TypeVar("T")


class Switchable:
    """A real store behind a switch."""

    def __init__(self, store: BreakerStore) -> None:
        self.store = store
        self.down = False
        self.asked = 0
        self.refresh_seconds = 1.0
        self.retry_seconds = 5.0

    def read(self, name: str) -> Reading:
        return self._up().read(name)

    def change(self, name: str, transition: Transition[T]) -> tuple[Reading, T]:
        return self._up().change(name, transition)

    def fail(self, name: str, failure: Failure) -> Reading | None:
        return self._up().fail(name, failure)

    def close(self) -> None:
        self.store.close()

    def _up(self) -> BreakerStore:
        self.asked += 1
        if self.down:
            raise StoreUnavailable("unplugged")
        return self.store


class Site:
    """A process of its own, as far as the breaker can tell."""

    def __init__(self, store: BreakerStore) -> None:
        self.clock = Clock()
        self.events: list[BreakerEvent] = []
        self.store = Switchable(store)
        self.breaker = CircuitBreaker(2, clock=self.clock, store=self.store, listeners=[self.events.append])

    def kinds(self) -> list[EventKind]:
        return [event.kind for event in self.events]


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[SqliteBreakerStore]:
    store = SqliteBreakerStore(tmp_path / "circuits.db")
    yield store
    store.close()


@pytest.fixture
def site(shared: SqliteBreakerStore) -> Site:
    return Site(shared)


def test_without_its_store_a_circuit_goes_on_alone_and_says_so_once(site: Site) -> None:
    site.breaker.record_failure(NAME)
    site.store.down = True

    site.breaker.record_failure(NAME)

    assert site.breaker.is_open(NAME)
    assert site.kinds().count(EventKind.STORE_LOST) == 1
    lost = next(event for event in site.events if event.kind is EventKind.STORE_LOST)
    assert lost.detail == "unplugged"


def test_a_process_that_never_saw_its_store_starts_alone(site: Site) -> None:
    site.store.down = True

    assert site.breaker.guard(NAME)(lambda: "answer")() == "answer"
    for _ in range(2):
        with pytest.raises(ValueError, match="boom"), site.breaker.permit(NAME):
            raise ValueError("boom")
    with pytest.raises(CircuitOpen):
        site.breaker.guard(NAME)(lambda: "answer")()


def test_a_store_that_is_down_is_not_asked_for_every_call(site: Site) -> None:
    site.store.down = True
    site.breaker.is_open(NAME)
    asked = site.store.asked

    for _ in range(10):
        site.breaker.record_failure(NAME)

    assert site.store.asked == asked


def test_once_the_store_is_back_what_it_says_holds(site: Site, shared: SqliteBreakerStore) -> None:
    site.store.down = True
    for _ in range(2):
        site.breaker.record_failure(NAME)
    assert site.breaker.is_open(NAME)
    site.store.down = False
    site.clock.advance(5.0)

    assert not site.breaker.is_open(NAME)

    assert site.kinds()[-1] is EventKind.STORE_RECOVERED
    assert site.breaker.circuit(NAME).keeper.period.version == shared.read(NAME).period.version


def test_a_permit_from_the_time_alone_has_no_say_after_the_store_is_back(site: Site) -> None:
    site.breaker.record_failure(NAME)
    site.store.down = True
    site.breaker.reset(NAME)
    permit = site.breaker.allow(NAME)
    assert permit is not None
    site.store.down = False
    site.clock.advance(5.0)
    assert site.breaker.failures(NAME) == 1

    permit.failure()

    assert site.breaker.failures(NAME) == 1
    assert not site.breaker.is_open(NAME)


def test_calls_under_way_when_the_store_blinks_still_count(site: Site) -> None:
    permit = site.breaker.allow(NAME)
    assert permit is not None
    site.store.down = True
    assert site.breaker.failures(NAME) == 0
    site.clock.advance(1.0)
    site.breaker.is_open(NAME)
    site.store.down = False
    site.clock.advance(5.0)

    permit.failure()

    assert site.breaker.failures(NAME) == 1


def test_a_store_that_stays_down_is_reported_once(site: Site) -> None:
    site.store.down = True
    for _ in range(3):
        site.breaker.is_open(NAME)
        site.clock.advance(5.0)

    assert site.kinds() == [EventKind.STORE_LOST]


def test_a_young_copy_answers_without_the_store(site: Site) -> None:
    call = site.breaker.guard(NAME)(lambda: "answer")
    call()
    asked = site.store.asked

    for _ in range(10):
        call()

    assert site.store.asked == asked


def test_a_clean_success_by_name_does_not_touch_the_store(site: Site) -> None:
    site.breaker.record_success(NAME)
    asked = site.store.asked

    site.breaker.record_success(NAME)

    assert site.store.asked == asked


def test_an_old_copy_is_read_again_before_an_admission(site: Site, shared: SqliteBreakerStore) -> None:
    call = site.breaker.guard(NAME)(lambda: "answer")
    call()
    other = CircuitBreaker(2, store=shared)
    for _ in range(2):
        other.record_failure(NAME)
    assert call() == "answer"
    site.clock.advance(1.0)

    with pytest.raises(CircuitOpen):
        call()

    assert site.kinds() == [EventKind.CLOSED, EventKind.OPENED, EventKind.REFUSED]


def test_while_one_thread_reads_the_others_go_on_with_the_copy(site: Site) -> None:
    site.breaker.is_open(NAME)
    site.clock.advance(1.0)
    keeper = site.breaker.circuit(NAME).keeper
    asked = site.store.asked

    with keeper._reading:  # type: ignore[attr-defined]  # as if another thread were reading
        assert not site.breaker.is_open(NAME)

    assert site.store.asked == asked


def test_what_is_heard_late_does_not_undo_what_is_newer(site: Site) -> None:
    for _ in range(2):
        site.breaker.record_failure(NAME)
    keeper = site.breaker.circuit(NAME).keeper
    old = Reading(Period(version=keeper.period.version - 1), 0.0)

    keeper._adopt(old)  # type: ignore[attr-defined]  # an answer that another thread waited for too long

    assert site.breaker.is_open(NAME)


def test_a_store_that_lost_its_data_is_believed(site: Site, shared: SqliteBreakerStore, tmp_path: Path) -> None:
    for _ in range(2):
        site.breaker.record_failure(NAME)
    assert site.breaker.is_open(NAME)
    shared._connection().execute("DELETE FROM racehound_circuits")
    site.clock.advance(1.0)

    assert not site.breaker.is_open(NAME)


def test_a_failure_after_the_data_was_lost_makes_the_row_anew(site: Site, shared: SqliteBreakerStore) -> None:
    permit = site.breaker.allow(NAME)
    assert permit is not None
    shared._connection().execute("DELETE FROM racehound_circuits")

    permit.failure()
    assert site.breaker.failures(NAME) == 0
    shared._connection().execute("DELETE FROM racehound_circuits")
    site.breaker.record_failure(NAME)

    assert site.breaker.failures(NAME) == 1


def test_a_file_that_cannot_be_opened_is_an_outage(tmp_path: Path) -> None:
    store = SqliteBreakerStore(tmp_path / "missing" / "circuits.db")
    with pytest.raises(StoreUnavailable, match="missing"):
        store.read(NAME)
    store.close()


def test_a_file_that_is_no_database_is_an_outage(tmp_path: Path) -> None:
    path = tmp_path / "circuits.db"
    path.write_text("something else entirely " * 100)

    with pytest.raises(StoreUnavailable, match="not a database"):
        SqliteBreakerStore(path).read(NAME)


def test_a_transition_that_raises_leaves_the_store_as_it_was(shared: SqliteBreakerStore) -> None:
    before = shared.read(NAME).period

    def impossible(period: Period, now: float) -> tuple[Period, None]:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        shared.change(NAME, impossible)

    assert shared.read(NAME).period == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_opens_a_connection_of_its_own(shared: SqliteBreakerStore) -> None:
    breaker = CircuitBreaker(5, store=shared)
    breaker.record_failure(NAME)
    child = os.fork()
    if child == 0:
        breaker.record_failure(NAME)
        os._exit(len(shared._connections))

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    shared.refresh_seconds = 0.0
    assert CircuitBreaker(5, store=shared).failures(NAME) == 2


@pytest.mark.slow
def test_a_redis_server_that_dies_and_returns() -> None:
    pytest.importorskip("redis")
    with redis_server() as server:
        store = RedisBreakerStore(server.url)
        dies_and_returns(Site(store), server.kill, server.start)
        store.close()


@pytest.mark.slow
def test_a_postgres_server_that_dies_and_returns() -> None:
    pytest.importorskip("psycopg")
    with postgres_server() as server:
        store = PostgresBreakerStore(server.url)
        dies_and_returns(Site(store), server.stop, server.start)
        store.close()


@pytest.mark.slow
def test_a_row_that_cannot_be_made_is_an_outage() -> None:
    psycopg = pytest.importorskip("psycopg")
    with postgres_server() as server:
        store = PostgresBreakerStore(server.url)
        store.read("first")
        store.close()
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("CREATE RULE no_rows AS ON INSERT TO racehound_circuits DO INSTEAD NOTHING")

        with pytest.raises(StoreUnavailable, match="somebody deleted the row"):
            store.read("second")
        store.close()
        store.close()


def dies_and_returns(site: Site, die: Callable[[], None], come_back: Callable[[], None]) -> None:
    site.breaker.record_failure(NAME)
    die()
    site.clock.advance(1.0)
    site.breaker.record_failure(NAME)
    assert site.breaker.is_open(NAME)
    with pytest.raises(StoreUnavailable):
        site.store.store.change(NAME, lambda period, _: (period, None))
    with pytest.raises(StoreUnavailable):
        site.store.store.fail(NAME, Failure(version=None, limit=1, open_for=1.0, text=None))
    come_back()
    site.clock.advance(5.0)

    assert not site.breaker.is_open(NAME)
    assert EventKind.STORE_LOST in site.kinds()
    assert EventKind.STORE_RECOVERED in site.kinds()
    site.breaker.record_failure(NAME)
    assert site.breaker.failures(NAME) == 1


class Slow(Switchable):
    """A store whose answer waits for a signal."""

    def __init__(self, store: BreakerStore) -> None:
        super().__init__(store)
        self.asked_for = threading.Event()
        self.answer = threading.Event()

    def _up(self) -> BreakerStore:
        self.asked_for.set()
        assert self.answer.wait(30.0)
        return self.store


async def rounds_until(holds: Callable[[], bool]) -> None:
    """Each round of the loop is one that a store which blocks it would not allow."""
    while not holds():  # noqa: ASYNC110 - what is waited for happens in a thread
        await asyncio.sleep(0)


def test_the_event_loop_goes_on_while_the_store_thinks(shared: SqliteBreakerStore) -> None:
    store = Slow(shared)
    breaker = CircuitBreaker(2, store=store)

    @breaker.guard(NAME)
    async def call() -> str:
        return "answer"

    async def main() -> str:
        guarded = asyncio.create_task(call())
        await rounds_until(store.asked_for.is_set)
        store.answer.set()
        return await guarded

    assert asyncio.run(main()) == "answer"


def test_a_task_cancelled_while_it_waits_for_a_probe_leaves_no_lease_behind(shared: SqliteBreakerStore) -> None:
    opened = CircuitBreaker(1, store=shared)
    opened.record_failure(NAME)
    shared.change(NAME, lambda period, now: (period.but(until=now - 1), None))
    store = Slow(shared)
    store.refresh_seconds = 0.0
    breaker = CircuitBreaker(1, store=store)

    async def main() -> None:
        async def probe() -> None:
            async with breaker.permit(NAME):
                pytest.fail("the task was cancelled before it was admitted")

        task = asyncio.create_task(probe())
        await rounds_until(store.asked_for.is_set)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        store.answer.set()
        await rounds_until(lambda: shared.read(NAME).period.leased == 1 and not shared.read(NAME).period.probes)

    asyncio.run(main())
    assert shared.read(NAME).period.state is State.HALF_OPEN


def test_a_task_cancelled_while_its_failure_is_written_does_not_lose_it(shared: SqliteBreakerStore) -> None:
    store = Slow(shared)
    store.answer.set()
    breaker = CircuitBreaker(2, store=store)

    async def fail() -> None:
        async with breaker.permit(NAME):
            store.answer.clear()
            store.asked_for.clear()
            raise ConnectionError

    async def main() -> None:
        task = asyncio.create_task(fail())
        await rounds_until(lambda: not store.answer.is_set() and store.asked_for.is_set())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        store.answer.set()
        await rounds_until(lambda: shared.read(NAME).period.failures == 1)

    asyncio.run(main())


def test_coroutines_share_a_circuit_with_functions(shared: SqliteBreakerStore) -> None:
    shared.refresh_seconds = 0.0
    breaker = CircuitBreaker(2, store=shared)

    @breaker.guard(NAME)
    async def call() -> None:
        raise ConnectionError

    async def main() -> None:
        for _ in range(2):
            with pytest.raises(ConnectionError):
                await call()
        with pytest.raises(CircuitOpen):
            await call()
        permit = breaker.allow("other")
        assert permit is not None
        async with permit:
            await asyncio.sleep(0)

    asyncio.run(main())
    assert CircuitBreaker(2, store=shared).is_open(NAME)
