"""Workers of every kind, and what is said when they cannot go on."""

import operator
import threading
import types
from collections.abc import Callable

import pytest

from racehound import explore
from racehound.pipeline.explore import Exploration

Race = Callable[..., Exploration]


ACCOUNT = """
    import asyncio
    import threading
    import time
    from time import monotonic, sleep
    from queue import SimpleQueue

    class Account:
        def __init__(self):
            self.balance = 0
            self.lock = threading.Lock()
            self.event = threading.Event()
            self.condition = threading.Condition()
            self.items = SimpleQueue()
            self.made = monotonic()

        async def deposit(self):
            balance = self.balance
            await asyncio.sleep(1)
            self.balance = balance + 1

        def deposit_now(self):
            self.balance += 1

        async def whole(self):
            self.balance += 1

        async def fail(self):
            await asyncio.sleep(0)
            raise KeyError("lost")

        async def cancel_myself(self):
            asyncio.current_task().cancel()
            await asyncio.sleep(0)

        def age(self):
            sleep(1)
            return monotonic() - self.made

        def timed_out(self):
            return self.lock.acquire(timeout=5)

        def hold(self):
            with self.lock:
                self.balance += 1

        def give_up(self):
            if not self.lock.acquire(timeout=5):
                raise TimeoutError("too slow")
            self.balance += 1
            self.lock.release()

        def wait_a_little(self):
            self.event.wait(timeout=1)
            return self.balance

        def never(self):
            self.event.wait()

        def unnotified(self):
            with self.condition:
                self.condition.wait()

        def take(self):
            return self.items.get()

        def look(self):
            while not self.balance:
                pass

        async def forever(self):
            await asyncio.Event().wait()

        async def look_forever(self):
            while not self.balance:
                await asyncio.sleep(0)

        def background(self):
            threading.Thread(target=self.die).start()

        def die(self):
            raise KeyError(self.balance)
"""


@pytest.fixture(name="race")
def _race(load: Callable[[str], types.ModuleType]) -> Race:
    kind = load(ACCOUNT).Account

    def race(*names: str, **options: object) -> Exploration:
        workers = [getattr(kind, name) for name in names]
        return explore(setup=kind, workers=workers, **options)  # type: ignore[arg-type]

    return race


def test_coroutines_race_where_they_await(race: Race) -> None:
    result = race("deposit", "deposit")

    assert result.verdict == "race"
    assert [(step.task, step.operation, step.switch) for step in result.timeline] == [
        (0, "read", False),
        (1, "read", True),
        (1, "write", False),
        (0, "write", True),
    ]
    assert result.token is not None
    assert race("deposit", "deposit", replay=result.token).failure == result.failure


def test_coroutines_do_not_race_where_they_do_not_await(race: Race) -> None:
    race("whole", "whole", "whole").assert_safe()


def test_coroutine_that_raises_is_a_failure_with_an_invariant(race: Race) -> None:
    result = race("fail", invariant=lambda account: True)

    assert result.failure == "a worker raises KeyError: 'lost'"


def test_coroutine_that_always_raises_is_not_a_race_without_one(race: Race) -> None:
    assert race("fail", "whole").verdict == "safe"


def test_coroutine_that_cancels_itself_is_its_own_result(race: Race) -> None:
    assert race("cancel_myself", "whole").verdict == "safe"


def test_thread_against_coroutine(race: Race) -> None:
    assert race("deposit_now", "deposit", invariant=lambda account: account.balance == 2).verdict == "race"


def test_thread_interrupts_a_coroutine_that_does_not_await(race: Race) -> None:
    assert race("whole", "deposit_now", invariant=lambda account: account.balance == 2).verdict == "race"
    assert race("whole", "deposit_now", invariant=lambda account: account.balance >= 1).verdict == "safe"


def test_names_that_were_bound_before_mean_the_virtual_clock(race: Race) -> None:
    result = race("age", invariant=lambda account: account.made == 1000.0)

    assert result.verdict == "safe", result.describe()


def test_timeout_that_is_in_vain_is_said_but_is_no_race(race: Race) -> None:
    result = race("give_up", "hold", invariant=lambda account: account.balance == 2)

    assert result.verdict == "sampled"
    assert result.proof.reason == (
        "no failure, but if a timeout or a timer comes early, a worker raises TimeoutError: too slow"
    )


def test_timeout_that_does_not_matter_is_settled(race: Race) -> None:
    assert race("wait_a_little", "never", invariant=lambda account: True).verdict == "race"
    assert race("wait_a_little", "deposit_now", invariant=lambda account: account.balance == 1).verdict == "safe"


@pytest.mark.parametrize(
    ("worker", "failure", "oracle"),
    [
        ("never", "a task waits for an event that nobody will set", "lost wake-up"),
        ("unnotified", "a task waits for a condition that nobody will notify", "lost wake-up"),
        ("take", "a task waits for an item that nobody will put into the queue", "lost wake-up"),
        ("look", "a task looks for ever at something that nobody will write", "livelock"),
        ("forever", "a coroutine waits for an event that nobody will set", "lost wake-up"),
        ("look_forever", "a task looks for ever at something that nobody will write", "livelock"),
    ],
)
def test_what_is_waited_for_in_vain_is_named(race: Race, worker: str, failure: str, oracle: str) -> None:
    result = race(worker, invariant=lambda account: True)

    assert (result.failure, result.proof.oracle) == (failure, oracle)


def test_waiting_for_each_other_is_part_of_a_serial_order(race: Race) -> None:
    result = race("look", "deposit_now")

    assert result.verdict == "safe", result.describe()


def test_thread_that_dies_in_every_order_is_no_race(race: Race) -> None:
    result = race("background", "background")

    assert result.verdict == "sampled"
    assert "KeyError ends a background task in serial orders too" in result.describe()


def test_thread_that_dies_breaks_an_invariant(race: Race) -> None:
    assert race("background", invariant=lambda account: True).failure == "a worker raises KeyError: 0"


CORNERS = """
    import asyncio
    import threading

    def counting():
        count = 0

        def bump():
            nonlocal count
            seen = count
            count = seen + 1

        return bump

    class Swept:
        def __init__(self):
            self.count = 0
            threading.Timer(5, self.sweep).start()

        def sweep(self):
            self.count += 1

        def look(self):
            return self.count

    class Own(threading.local):
        def __init__(self):
            self.items = []

    class Shared:
        def __init__(self):
            self.own = Own()
            self.total = 0
            self.order = []

        def add(self):
            self.own.items.append(1)
            self.total += 1

        async def one(self, number):
            await asyncio.sleep(0)
            return number

        async def collect(self):
            self.order = [await done for done in asyncio.as_completed([self.one(1), self.one(2)])]
"""


def test_timeline_shows_the_variables_of_closures(load: Callable[[str], types.ModuleType]) -> None:
    result = explore(setup=load(CORNERS).counting, workers=[operator.call, operator.call])

    shown = [(step.task, step.operation, step.target, step.value) for step in result.timeline]
    assert shown == [
        (0, "read", "count", "0"),
        (1, "read", "count", "0"),
        (1, "write", "count", "1"),
        (0, "write", "count", "1"),
    ]


def test_looking_at_values_makes_nothing_that_belongs_to_a_thread(load: Callable[[str], types.ModuleType]) -> None:
    shared = load(CORNERS).Shared

    assert explore(setup=shared, workers=[shared.add] * 2).verdict == "race"


def test_order_that_nobody_promises_is_not_compared(load: Callable[[str], types.ModuleType]) -> None:
    shared = load(CORNERS).Shared

    result = explore(setup=shared, workers=[shared.collect])

    assert result.verdict == "sampled"
    assert result.proof.reason.endswith("starts coroutines in any order, and not all of them were tried")


def test_timer_of_a_setup_takes_part_and_leaves_no_thread(load: Callable[[str], types.ModuleType]) -> None:
    swept = load(CORNERS).Swept
    before = threading.active_count()

    result = explore(setup=swept, workers=[swept.sweep, swept.look])

    assert result.verdict == "race"
    assert threading.active_count() == before
