"""One circuit in one process: states, counts, probes, permits."""

import os
import pickle
import threading
from itertools import pairwise

import pytest

import racehound.guard
from drivers.breaker import Clock, together
from racehound.guard import BreakerEvent, CircuitBreaker, CircuitOpen, Permit
from racehound.guard.breaker import EventKind, Period, Settings, State
from racehound.guard.breaker.period import Lease

NAME = "backend"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(failure_threshold=2, open_seconds=30.0, clock=clock)


def opened(breaker: CircuitBreaker) -> CircuitBreaker:
    for _ in range(2):
        breaker.record_failure(NAME, ValueError("boom"))
    return breaker


def allowed(breaker: CircuitBreaker) -> Permit:
    permit = breaker.allow(NAME)
    assert permit is not None
    return permit


def test_the_circuit_opens_at_the_threshold_and_not_before(breaker: CircuitBreaker) -> None:
    breaker.record_failure(NAME)
    assert not breaker.is_open(NAME)

    breaker.record_failure(NAME)

    assert breaker.is_open(NAME)
    assert breaker.failures(NAME) == 2


def test_three_failures_in_a_row_open_it_by_default() -> None:
    breaker = CircuitBreaker()
    for _ in range(3):
        assert not breaker.is_open(NAME)
        breaker.record_failure(NAME)

    assert breaker.is_open(NAME)


def test_a_success_ends_the_streak(breaker: CircuitBreaker) -> None:
    breaker.record_failure(NAME)
    breaker.record_success(NAME)
    breaker.record_failure(NAME)

    assert breaker.failures(NAME) == 1
    assert not breaker.is_open(NAME)


def test_failures_go_on_being_counted_while_open(breaker: CircuitBreaker) -> None:
    for _ in range(10):
        breaker.record_failure(NAME)

    assert breaker.failures(NAME) == 10


def test_a_success_while_open_is_stale(breaker: CircuitBreaker) -> None:
    opened(breaker).record_success(NAME)

    assert breaker.is_open(NAME)
    assert breaker.failures(NAME) == 2


def test_names_do_not_share_a_fate(breaker: CircuitBreaker) -> None:
    opened(breaker)

    assert not breaker.is_open("other")
    assert breaker.names() == [NAME, "other"]


def test_reset_closes_and_forgets(breaker: CircuitBreaker) -> None:
    opened(breaker).reset(NAME)

    assert not breaker.is_open(NAME)
    assert breaker.failures(NAME) == 0


def test_reset_all_closes_every_circuit(breaker: CircuitBreaker) -> None:
    opened(breaker)
    breaker.record_failure("other")

    breaker.reset_all()

    assert [breaker.failures(name) for name in breaker.names()] == [0, 0]
    assert not breaker.is_open(NAME)


def test_is_open_changes_nothing_when_the_time_is_over(breaker: CircuitBreaker, clock: Clock) -> None:
    opened(breaker)
    clock.advance(30.0)

    assert not breaker.is_open(NAME)
    assert breaker.snapshot(NAME).state is State.OPEN


def test_by_name_the_first_success_after_the_open_time_closes(breaker: CircuitBreaker, clock: Clock) -> None:
    opened(breaker)
    clock.advance(30.0)

    breaker.record_success(NAME)

    assert breaker.snapshot(NAME).state is State.CLOSED


def test_by_name_the_first_failure_after_the_open_time_opens_again(breaker: CircuitBreaker, clock: Clock) -> None:
    opened(breaker)
    clock.advance(30.0)

    breaker.record_failure(NAME)

    assert breaker.is_open(NAME)
    assert breaker.failures(NAME) == 3


def test_no_concurrent_failure_is_lost(breaker: CircuitBreaker) -> None:
    def work() -> None:
        for _ in range(250):
            breaker.record_failure(NAME)

    together(*[work] * 8)

    assert breaker.failures(NAME) == 2000


def test_open_and_count_never_disagree_whatever_runs_at_once() -> None:
    breaker = CircuitBreaker(failure_threshold=3, open_seconds=1e9)
    seen: list[tuple[bool, int]] = []

    def read() -> None:
        for _ in range(300):
            period = breaker.circuit(NAME).keeper.period
            seen.append((period.gated, period.failures))

    def fail() -> None:
        for _ in range(300):
            breaker.record_failure(NAME)

    def reset() -> None:
        for _ in range(100):
            breaker.reset(NAME)
            breaker.record_success(NAME)

    together(fail, fail, reset, read, read)

    assert all(is_open == (failures >= 3) for is_open, failures in seen)


def test_however_many_ask_first_a_name_has_one_circuit() -> None:
    breaker = CircuitBreaker()
    found: list[object] = []
    together(*[lambda: found.append(breaker.circuit(NAME))] * 16)

    assert len(set(map(id, found))) == 1


def test_one_probe_is_admitted_after_the_open_time(breaker: CircuitBreaker, clock: Clock) -> None:
    opened(breaker)
    assert breaker.allow(NAME) is None
    clock.advance(30.0)

    permit = allowed(breaker)

    assert breaker.allow(NAME) is None
    assert breaker.is_open(NAME)
    permit.success()
    assert breaker.snapshot(NAME).state is State.CLOSED


def test_a_probe_that_fails_opens_again(breaker: CircuitBreaker, clock: Clock) -> None:
    opened(breaker)
    clock.advance(30.0)

    allowed(breaker).failure()

    assert breaker.snapshot(NAME).state is State.OPEN
    assert breaker.snapshot(NAME).retry_after == 30.0


def test_as_many_probes_as_configured_and_as_many_successes_as_needed(clock: Clock) -> None:
    breaker = CircuitBreaker(2, half_open_probes=2, success_threshold=3, clock=clock)
    opened(breaker)
    clock.advance(30.0)
    first, second = allowed(breaker), allowed(breaker)
    assert breaker.allow(NAME) is None

    first.success()
    second.success()
    assert breaker.snapshot(NAME).state is State.HALF_OPEN
    allowed(breaker).success()

    assert breaker.snapshot(NAME).state is State.CLOSED


def test_a_hung_probe_loses_its_lease_and_its_voice(clock: Clock) -> None:
    breaker = CircuitBreaker(2, probe_seconds=5.0, clock=clock)
    opened(breaker)
    clock.advance(30.0)
    hung = allowed(breaker)
    clock.advance(4.0)
    with pytest.raises(CircuitOpen) as refused, breaker.permit(NAME):
        pytest.fail("admitted beside a probe")
    assert refused.value.retry_after == 1.0
    clock.advance(1.0)

    replacement = allowed(breaker)
    hung.success()

    assert breaker.snapshot(NAME).state is State.HALF_OPEN
    replacement.failure()
    assert breaker.snapshot(NAME).state is State.OPEN


def test_a_cancelled_probe_gives_its_permit_back(breaker: CircuitBreaker, clock: Clock) -> None:
    opened(breaker)
    clock.advance(30.0)

    allowed(breaker).cancel()

    assert breaker.allow(NAME) is not None


def test_a_cancelled_probe_that_lost_its_lease_takes_nothing_from_its_successor(clock: Clock) -> None:
    breaker = CircuitBreaker(2, probe_seconds=5.0, clock=clock)
    opened(breaker)
    clock.advance(30.0)
    hung = allowed(breaker)
    clock.advance(5.0)
    allowed(breaker)

    hung.cancel()

    assert breaker.allow(NAME) is None


def test_the_second_verdict_of_a_permit_is_ignored(breaker: CircuitBreaker) -> None:
    permit = allowed(breaker)
    permit.failure()
    permit.failure()
    permit.success()
    permit.cancel()

    assert breaker.failures(NAME) == 1


def test_a_permit_from_before_a_reset_has_no_say(breaker: CircuitBreaker) -> None:
    permits = [allowed(breaker) for _ in range(3)]
    breaker.reset(NAME)

    for permit in permits:
        permit.failure()

    assert breaker.failures(NAME) == 0


def test_leaving_a_permit_judges_the_call(breaker: CircuitBreaker) -> None:
    with pytest.raises(ValueError, match="boom"), breaker.permit(NAME) as permit:
        raise ValueError("boom")
    assert permit.name == NAME
    assert breaker.failures(NAME) == 1

    with breaker.permit(NAME):
        pass

    assert breaker.failures(NAME) == 0


def test_a_permit_that_was_allowed_can_be_entered(breaker: CircuitBreaker) -> None:
    with pytest.raises(ValueError, match="boom"), allowed(breaker):
        raise ValueError("boom")

    assert breaker.failures(NAME) == 1


def test_a_verdict_given_inside_stands_when_leaving(breaker: CircuitBreaker) -> None:
    with breaker.permit(NAME) as permit:
        permit.failure("the answer made no sense")

    assert breaker.failures(NAME) == 1
    assert breaker.snapshot(NAME).last_failure == "'the answer made no sense'"


def test_refusal_says_who_how_long_and_why(breaker: CircuitBreaker, clock: Clock) -> None:
    opened(breaker)
    clock.advance(10.0)

    with pytest.raises(CircuitOpen) as refused, breaker.permit(NAME):
        pytest.fail("admitted")

    error = refused.value
    assert (error.name, error.retry_after, error.last_failure) == (NAME, 20.0, "ValueError('boom')")
    assert str(error) == "circuit 'backend' is open, ask again in 20 s; last failure: ValueError('boom')"


def test_refusal_survives_the_trip_to_another_process() -> None:
    error = pickle.loads(pickle.dumps(CircuitOpen(NAME, 1.5)))  # noqa: S301 - our own bytes

    assert (error.name, error.retry_after, error.last_failure) == (NAME, 1.5, None)
    assert str(error) == "circuit 'backend' is open, ask again in 1.5 s"


def test_the_open_time_grows_to_its_ceiling_and_starts_afresh_after_closing(clock: Clock) -> None:
    breaker = CircuitBreaker(1, open_seconds=10.0, backoff=2.0, max_open_seconds=35.0, clock=clock)
    waits = []
    for _ in range(4):
        breaker.record_failure(NAME)
        waits.append(breaker.snapshot(NAME).retry_after)
        clock.advance(waits[-1])
    breaker.record_success(NAME)
    breaker.record_failure(NAME)

    assert waits == [10.0, 20.0, 35.0, 35.0]
    assert breaker.snapshot(NAME).retry_after == 10.0


def test_jitter_spreads_around_the_open_time_below_the_ceiling() -> None:
    rules = Settings(open_seconds=10.0, jitter=0.2, max_open_seconds=11.0)

    assert [rules.open_duration(1, draw) for draw in (0.0, 0.5, 1.0)] == [8.0, 10.0, 11.0]


def test_jitter_draws_anew_at_every_opening(clock: Clock) -> None:
    breaker = CircuitBreaker(1, open_seconds=10.0, jitter=0.5, clock=clock)
    waits = []
    for _ in range(20):
        breaker.record_failure(NAME)
        waits.append(breaker.snapshot(NAME).retry_after)
        breaker.reset(NAME)

    assert all(5.0 <= wait <= 15.0 for wait in waits)
    assert len(set(waits)) > 1


def test_a_very_long_row_of_openings_stays_at_the_ceiling() -> None:
    assert Settings(open_seconds=1.0, backoff=10.0).open_duration(1000, 0.5) == 10.0


def test_forced_open_refuses_until_reset(breaker: CircuitBreaker, clock: Clock) -> None:
    breaker.force_open(NAME)
    clock.advance(1e6)
    assert breaker.is_open(NAME)
    assert breaker.allow(NAME) is None
    breaker.record_success(NAME)
    assert breaker.is_open(NAME)
    breaker.record_failure(NAME)
    assert breaker.failures(NAME) == 1

    breaker.reset(NAME)

    assert breaker.allow(NAME) is not None


def test_disabled_admits_all_and_counts_nothing(breaker: CircuitBreaker) -> None:
    breaker.disable(NAME)

    opened(breaker)

    assert not breaker.is_open(NAME)
    assert breaker.failures(NAME) == 0


def test_only_measuring_counts_and_admits_all(breaker: CircuitBreaker) -> None:
    breaker.only_measure(NAME)

    opened(breaker)

    assert not breaker.is_open(NAME)
    assert breaker.failures(NAME) == 2
    breaker.record_success(NAME)
    assert breaker.failures(NAME) == 0


def test_single_names_have_settings_of_their_own(clock: Clock) -> None:
    breaker = CircuitBreaker(5, clock=clock, per_name={"frail": Settings(failure_threshold=1)})
    breaker.configure(NAME, failure_threshold=2, open_seconds=7.0)

    breaker.record_failure("frail")
    opened(breaker)
    breaker.record_failure("common")

    assert [breaker.is_open(name) for name in ("frail", NAME, "common")] == [True, True, False]
    assert breaker.snapshot(NAME).retry_after == 7.0


def test_settings_cannot_change_under_a_circuit_in_use(breaker: CircuitBreaker) -> None:
    breaker.record_failure(NAME)

    with pytest.raises(ValueError, match="before its first call"):
        breaker.configure(NAME, failure_threshold=9)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"failure_threshold": 0}, "failure_threshold must be at least 1"),
        ({"open_seconds": 0.0}, "open_seconds must be positive"),
        ({"backoff": 0.5}, "backoff must be at least 1"),
        ({"max_open_seconds": 1.0}, "max_open_seconds must not be below open_seconds"),
        ({"jitter": 1.5}, "jitter must be from 0 to 1"),
        ({"half_open_probes": 0}, "half_open_probes must be at least 1"),
        ({"success_threshold": 0}, "success_threshold must be at least 1"),
        ({"probe_seconds": 0.0}, "probe_seconds must be positive"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(options: dict[str, float], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        CircuitBreaker(**options)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"half_open_probes": 1.5}, "half_open_probes is a whole number, not 1.5"),
        ({"success_threshold": "2"}, "success_threshold is a whole number"),
        ({"failure_on": 3}, "failure_on is an exception class"),
        ({"failure_on": int}, "failure_on is an exception class"),
        ({"ignore": (KeyError, "x")}, "ignore is an exception class"),
    ],
)
def test_a_setting_of_the_wrong_kind_is_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        CircuitBreaker(**options)  # type: ignore[arg-type]  # wrong on purpose


def test_periods_are_equal_by_what_processes_share() -> None:
    assert len({Period(), Period(troubled=True), Period(version=1)}) == 2
    assert repr(Period(version=7)) == "Period('closed', 7, 0, 0, 0, 0.0, (), 0, None)"


def test_where_too_many_probe_already_all_but_the_allowed_ones_must_end_first() -> None:
    """Processes that share a circuit may disagree about how many may probe."""
    period = Period(state=State.HALF_OPEN, probes=(Lease(0, 5.0), Lease(1, 9.0), Lease(2, 7.0)))

    assert [period.free_at(1.0, limit) for limit in (1, 2, 3, 4)] == [9.0, 7.0, 5.0, 1.0]


def test_guard_offers_its_names_and_no_others() -> None:
    assert {"CircuitBreaker", "CircuitOpen", "SqliteBreakerStore"} <= set(dir(racehound.guard))
    with pytest.raises(AttributeError, match="no attribute 'CircuitBraker'"):
        racehound.guard.CircuitBraker  # type: ignore[attr-defined]  # noqa: B018


def test_listeners_hear_the_whole_story_in_order_of_versions(clock: Clock) -> None:
    events: list[BreakerEvent] = []
    breaker = CircuitBreaker(2, clock=clock, listeners=[events.append], report_successes=True)
    permit = allowed(breaker)
    opened(breaker)
    permit.success()
    assert breaker.allow(NAME) is None
    clock.advance(30.0)
    allowed(breaker).cancel()
    probe = allowed(breaker)
    assert breaker.allow(NAME) is None
    probe.success()

    assert [event.kind for event in events] == [
        EventKind.FAILURE,
        EventKind.OPENED,
        EventKind.FAILURE,
        EventKind.STALE,
        EventKind.REFUSED,
        EventKind.HALF_OPENED,
        EventKind.CANCELLED,
        EventKind.REFUSED,
        EventKind.CLOSED,
        EventKind.SUCCESS,
    ]
    assert all(before.version <= after.version for before, after in pairwise(events))
    assert events[1].detail == "ValueError('boom')"


def test_successes_by_name_are_reported_where_asked_for(clock: Clock) -> None:
    events: list[BreakerEvent] = []
    breaker = CircuitBreaker(2, clock=clock, listeners=[events.append], report_successes=True)
    breaker.record_success(NAME)
    opened(breaker).record_success(NAME)

    kinds = [event.kind for event in events]
    assert (kinds[0], kinds[-1]) == (EventKind.SUCCESS, EventKind.STALE)


def test_a_listener_that_raises_harms_nobody_and_is_logged(
    breaker: CircuitBreaker, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(event: BreakerEvent) -> None:
        raise RuntimeError("listener trouble")

    heard: list[BreakerEvent] = []
    breaker = CircuitBreaker(1, listeners=[broken, heard.append])

    breaker.record_failure(NAME)

    assert breaker.is_open(NAME)
    assert len(heard) == 2
    assert "listener trouble" in caplog.text


def test_no_lock_is_held_while_foreign_code_runs(clock: Clock) -> None:
    """Listener, predicate, clock and guarded call all use the breaker: any held lock would never come free."""
    story: list[str] = []

    def take_every_lock() -> None:
        own.names()
        own.circuit(NAME).keeper.change(lambda period, _: (period, None))

    def in_another_thread(place: str) -> None:
        worker = threading.Thread(target=take_every_lock)
        worker.start()
        worker.join(10.0)
        assert not worker.is_alive(), f"a lock is held in {place}"
        story.append(place)

    def listener(event: BreakerEvent) -> None:
        if event.name == NAME:
            own.record_failure(NAME + event.kind)
            in_another_thread("listener")

    def is_failure(error: BaseException) -> bool:
        own.is_open(NAME)
        in_another_thread("predicate")
        return True

    own = CircuitBreaker(1, clock=clock, listeners=[listener], failure_on=is_failure)

    @own.guard(NAME)
    def call() -> None:
        in_another_thread("call")
        raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        call()

    assert {"listener", "predicate", "call"} == set(story)
    assert own.is_open(NAME)


def test_a_clock_that_uses_the_breaker_does_not_deadlock() -> None:
    calls: list[int] = []

    def clock() -> float:
        if len(calls) < 3:
            calls.append(1)
            own.record_failure("aside")
        return 1.0

    own = CircuitBreaker(2, clock=clock)

    own.record_failure(NAME)

    assert own.failures("aside") == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_does_not_inherit_a_lock_that_nobody_will_release(breaker: CircuitBreaker) -> None:
    breaker.record_failure(NAME)
    keeper = breaker.circuit(NAME).keeper.local
    holding, done = threading.Event(), threading.Event()

    def hold() -> None:
        with breaker._lock, keeper._lock:
            holding.set()
            done.wait(30.0)

    holder = threading.Thread(target=hold)
    holder.start()
    holding.wait(30.0)
    child = os.fork()
    if child == 0:
        breaker.record_failure(NAME)
        breaker.record_failure("new")
        os._exit(breaker.failures(NAME) + breaker.failures("new"))
    done.set()
    holder.join()

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
