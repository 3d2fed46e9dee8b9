import functools
import gc
import importlib
import json
import operator
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from racehound import explore
from racehound.errors import UsageError


class Counter:
    def __init__(self) -> None:
        self.value = 0
        self.lock = threading.Lock()

    def increment(self) -> None:
        self.value += 1

    def add(self, amount: int) -> None:
        self.value += amount

    def safe(self) -> None:
        with self.lock:
            self.value += 1


def traced(function: Callable[[Counter], None]) -> Callable[[Counter], None]:
    @functools.wraps(function)
    def wrapper(counter: Counter) -> None:
        function(counter)

    return wrapper


@traced
def decorated(counter: Counter) -> None:
    counter.value += 1


def test_lost_update_is_found_without_an_invariant() -> None:
    result = explore(setup=Counter, workers=[Counter.increment, Counter.increment])

    assert result.verdict == "race"
    assert result.failure == "the results and the final state are those of no serial order"
    assert [step.operation for step in result.timeline] == ["read", "read", "write", "write"]
    with pytest.raises(AssertionError, match="task 1"):
        result.assert_safe()


def test_invariant_is_the_oracle_when_there_is_one() -> None:
    result = explore(setup=Counter, workers=[Counter.increment] * 2, invariant=lambda counter: counter.value == 2)

    assert (result.verdict, result.failure) == ("race", "the invariant does not hold")


def test_invariant_may_assert() -> None:
    def holds(counter: Counter) -> None:
        assert counter.value == 3, counter.value

    result = explore(setup=Counter, workers=[Counter.safe] * 2, invariant=holds)

    assert result.failure is not None
    assert result.failure.startswith("the invariant ")


@pytest.mark.parametrize(
    "worker",
    [decorated, lambda counter: counter.increment(), functools.partial(Counter.add, amount=1)],
    ids=["decorated", "lambda", "partial"],
)
def test_workers_of_every_form_are_seen(worker: Callable[[Counter], None]) -> None:
    assert explore(setup=Counter, workers=[worker, worker]).verdict == "race"


def test_code_runs_plain_again_afterwards() -> None:
    before = Counter.increment.__code__

    explore(setup=Counter, workers=[Counter.increment, Counter.increment])

    assert Counter.increment.__code__ is before
    assert threading.Lock().__class__.__name__ == "lock"


def test_token_runs_the_same_schedule_again() -> None:
    result = explore(setup=Counter, workers=[Counter.increment] * 2)
    assert result.token is not None

    again = explore(setup=Counter, workers=[Counter.increment] * 2, replay=result.token)
    fixed = explore(setup=Counter, workers=[Counter.safe] * 2, replay=result.token)

    assert again.timeline == result.timeline
    assert fixed.verdict == "sampled"


def test_token_of_something_else_is_refused() -> None:
    assert explore(setup=Counter, workers=[Counter.safe], replay="rh1-nonsense").verdict == "inconclusive"


def test_search_that_was_cut_short_says_so() -> None:
    result = explore(setup=Counter, workers=[Counter.safe] * 2, budget=0.0)

    assert (result.verdict, result.executions) == ("sampled", 0)
    assert "budget" in result.proof.reason


def test_setup_that_fails_is_no_race() -> None:
    def broken() -> Counter:
        raise LookupError("nothing there")

    result = explore(setup=broken, workers=[Counter.safe])

    assert (result.verdict, result.proof.reason) == ("inconclusive", "setup raises LookupError: nothing there")


def test_worker_that_always_raises_fails_an_invariant_but_no_serial_outcome() -> None:
    def broken(counter: Counter) -> None:
        raise LookupError(counter.value)

    with_invariant = explore(setup=Counter, workers=[broken, broken], invariant=lambda _: True)
    without = explore(setup=Counter, workers=[broken, broken])

    assert with_invariant.failure == "a worker raises LookupError: 0"
    assert without.verdict == "inconclusive"
    assert "raises LookupError: 0, whatever the order" in without.proof.reason


def test_deadlock_fails_an_invariant_too() -> None:
    def take_twice(counter: Counter) -> None:
        counter.lock.acquire()
        counter.lock.acquire()

    result = explore(setup=Counter, workers=[take_twice], invariant=lambda _: True)

    assert (result.verdict, result.failure) == ("race", "the tasks wait for each other for ever")


def test_deadlock_of_one_worker_alone_is_a_failure() -> None:
    def take_twice(counter: Counter) -> None:
        with counter.lock, counter.lock:
            counter.value += 1

    result = explore(setup=Counter, workers=[take_twice, Counter.increment])

    assert result.verdict == "race"
    assert result.token is not None


def test_explore_cannot_be_nested() -> None:
    def nested(counter: Counter) -> object:
        return explore(setup=Counter, workers=[Counter.safe])

    result = explore(setup=Counter, workers=[nested], invariant=lambda _: True)

    assert result.failure is not None
    assert "explore is already at work" in result.failure


def test_invariant_that_is_wrong_itself_is_no_race() -> None:
    result = explore(setup=Counter, workers=[Counter.safe], invariant=operator.attrgetter("no_such_thing"))

    assert result.verdict == "inconclusive"
    assert "the invariant raises AttributeError" in result.proof.reason


def test_invariant_that_cannot_be_asked_only_where_workers_overlap_does_not_hold() -> None:
    twice = [Counter.increment, Counter.increment]
    names = {2: "two"}

    found = explore(setup=Counter, workers=twice, invariant=lambda counter: names[counter.value])
    again = explore(
        setup=Counter, workers=twice, invariant=lambda counter: names[counter.value], replay=found.token
    )

    assert found.verdict == again.verdict == "race"
    assert found.failure == again.failure == "the invariant does not hold: it raises KeyError: 1"


def test_setup_that_waits_for_something_outside_is_noticed() -> None:
    reading, writing = os.pipe()
    try:
        result = explore(setup=lambda: os.read(reading, 1), workers=[lambda _: None], budget=0.1)
    finally:
        os.close(writing)  # which ends the thread that was left behind

    assert result.verdict == "inconclusive"
    assert "test_explore.py" in result.proof.reason


@pytest.mark.parametrize("invariant", [None, lambda _: True])
def test_worker_that_ends_the_program_is_no_race(invariant: Callable[[Counter], bool] | None) -> None:
    result = explore(setup=Counter, workers=[lambda _: sys.exit(3)] * 2, invariant=invariant)

    assert result.proof.reason == "an operation ends the program: SystemExit: 3"


def test_setup_that_ends_the_program_says_so() -> None:
    result = explore(setup=sys.exit, workers=[lambda _: None])

    assert result.proof.reason.startswith("setup raises SystemExit")


def test_explore_needs_workers() -> None:
    with pytest.raises(UsageError, match="explore needs workers"):
        explore(setup=Counter, workers=[])


def test_unmodelled_use_of_shared_state_weakens_the_verdict() -> None:
    def dump(counter: Counter) -> str:
        return json.dumps(vars(counter), default=str)

    result = explore(setup=Counter, workers=[dump, Counter.increment])

    assert result.verdict == "sampled"
    assert "but" in result.proof.reason


def test_collector_that_tells_the_time_does_not_disturb_a_replay() -> None:
    """As Hypothesis makes it do."""

    def look_at_the_clock(phase: str, info: dict[str, int]) -> None:
        time.perf_counter()

    threshold = gc.get_threshold()
    gc.callbacks.append(look_at_the_clock)
    gc.set_threshold(1)
    try:
        result = explore(setup=Counter, workers=[Counter.increment] * 2)
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(look_at_the_clock)

    assert result.verdict == "race"


def test_setup_that_waits_takes_no_time_and_the_race_begins_after_it() -> None:
    def setup() -> Counter:
        time.sleep(3600)
        counter = Counter()
        counter.made_at = time.monotonic()  # type: ignore[attr-defined]  # what programs do
        return counter

    def work(counter: Counter) -> None:
        counter.safe()
        assert time.monotonic() >= counter.made_at  # type: ignore[attr-defined]

    result = explore(setup=setup, workers=[work, work])

    assert result.verdict == "safe"


class Thing:
    """Is shown with its address."""


class Tray:
    thing = Thing()

    def __init__(self) -> None:
        self.things = {self.thing: 1}

    def take(self) -> None:
        if self.thing in self.things:
            del self.things[self.thing]


def test_what_is_said_of_a_failure_holds_no_address() -> None:
    result = explore(setup=Tray, workers=[Tray.take, Tray.take])

    assert result.failure is not None
    assert result.failure.startswith("KeyError: <")
    assert "0x" not in result.describe()


class Labelled:
    """Keeps its text once it was asked for it."""

    def __init__(self) -> None:
        self.text: str | None = None

    def __repr__(self) -> str:
        self.text = "made"
        return self.text


def test_object_that_keeps_its_text_is_no_race() -> None:
    explore(setup=list, workers=[lambda _: Labelled(), lambda _: Labelled()]).assert_safe()


def test_module_that_turns_out_to_take_part_is_as_it_was_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
        made = {}

        def get(name):
            if name not in made:
                made[name] = []
            return made[name]
        """
    (tmp_path / "lazily_made.py").write_text(dedent(text), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("lazily_made")

    result = explore(setup=lambda: None, workers=[lambda _: module.get("a")] * 2)
    del sys.modules["lazily_made"]

    assert result.verdict == "race"
    assert module.made == {}
