"""Threads in the background that do something in rounds, beside the operations of their class."""

import itertools
import threading
import time
from collections.abc import Callable

import pytest

from racehound import explore

Worker = Callable[["Service"], object]


class Service:
    """Starts a thread that counts what was given, and what it has done itself."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.waiting: list[int] = []
        self.done: list[int] = []
        threading.Thread(target=self.go_round, daemon=True).start()

    def go_round(self) -> None:
        while not self.stop.wait(5):
            self.act()

    def act(self) -> None:
        with self.lock:
            waiting, self.waiting = self.waiting, []
            self.done.extend(waiting)

    def give(self) -> None:
        with self.lock:
            self.waiting.append(1)

    def give_another(self) -> None:
        with self.lock:
            self.waiting.append(2)

    def finish(self) -> None:
        with self.lock:
            self.done = [*self.done, 9]

    def close(self) -> None:
        self.stop.set()


class Careless(Service):
    def act(self) -> None:
        self.done.extend(self.waiting)
        self.waiting = []


class CarelessSleeper(Careless):
    def go_round(self) -> None:
        while True:
            time.sleep(5)
            self.act()


class Tidy(Service):
    """Does nothing as long as there is nothing to do."""

    def act(self) -> None:
        with self.lock:
            for item in [item for item in self.waiting if item < 0]:
                self.waiting.remove(item)


class Batching(Service):
    """Keeps what it works off in a variable of its loop."""

    def go_round(self) -> None:
        while not self.stop.wait(5):
            with self.lock:
                batch, self.waiting = self.waiting, []
            with self.lock:
                self.done.extend(batch)


class CountingInItsClass(Service):
    rounds = 0

    def act(self) -> None:
        with self.lock:
            type(self).rounds += 1


class Drawing(Service):
    """Draws from something that shows nothing of how far it has come."""

    def __init__(self) -> None:
        self.numbers = iter(range(1000))
        super().__init__()

    def act(self) -> None:
        with self.lock:
            next(self.numbers)


class LastingSomeRounds(Service):
    """Does something when it has gone round often enough, which no variable tells."""

    def go_round(self) -> None:
        for _ in itertools.repeat(None, 5):
            self.stop.wait(5)
        self.done.append(8)


class SleepingSomeRounds(Service):
    def go_round(self) -> None:
        for _ in itertools.repeat(None, 5):
            time.sleep(5)
        self.done.append(8)


class Alternating(Service):
    def act(self) -> None:
        with self.lock:
            self.done = self.done[:1] if len(self.done) > 1 else [*self.done, 7]


class Beating(Service):
    def act(self) -> None:
        with self.lock:
            self.done.append(0)


class InPairs(Service):
    """Has two of these threads."""

    def __init__(self) -> None:
        super().__init__()
        threading.Thread(target=self.act_for_another, daemon=True).start()

    def act_for_another(self) -> None:
        while not self.stop.wait(3):
            with self.lock:
                self.done.append(3)

    def give(self) -> None:
        with self.lock:
            self.done.append(1)


@pytest.mark.parametrize("kind", [Careless, CarelessSleeper])
def test_race_with_a_round_of_the_background_is_found(kind: type[Service]) -> None:
    result = explore(setup=kind, workers=[Service.give, Service.give_another])

    assert result.verdict == "race"
    assert result.executions < 20


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("kind", [Tidy, Service, Batching])
@pytest.mark.slow
def test_background_that_comes_to_rest_is_no_reason_to_doubt(kind: type[Service]) -> None:
    result = explore(setup=kind, workers=[Service.give, Service.give_another], budget=40)

    assert result.verdict == "safe"


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("kind", [CountingInItsClass, Drawing, Alternating])
def test_background_that_counts_somewhere_else_does_not_come_to_rest(kind: type[Service]) -> None:
    result = explore(setup=kind, workers=[Service.give, Service.close])

    assert result.verdict == "sampled"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [LastingSomeRounds, SleepingSomeRounds])
def test_loop_may_end_though_all_is_as_before(kind: type[Service]) -> None:
    result = explore(setup=kind, workers=[Service.finish, Service.finish], budget=3)

    assert result.verdict in {"race", "sampled"}


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize("worker", [Service.give, Service.close])
def test_rounds_come_before_or_after_an_operation_in_serial_orders_too(worker: Worker) -> None:
    result = explore(setup=Beating, workers=[Service.give, worker])

    assert result.verdict == "sampled"
    assert "was let have a few rounds only" in result.proof.reason


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.slow
def test_order_in_which_two_threads_of_the_background_have_their_rounds_is_no_race() -> None:
    result = explore(setup=InPairs, workers=[Service.give, Service.close], budget=2)

    assert result.verdict == "sampled"


def test_timeouts_of_an_operation_come_early_a_few_times_only() -> None:
    def wait(said: threading.Event) -> bool:
        return any(said.wait(5) for _ in range(5))

    result = explore(setup=threading.Event, workers=[wait, threading.Event.set])

    assert result.verdict == "sampled"
    assert "was let end in vain a few times only" in result.proof.reason


class Loading:
    """Starts a thread that does its work once."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = 0
        self.start()

    def start(self) -> None:
        threading.Thread(target=self.load).start()

    def load(self) -> None:
        self.count += 1

    def add(self) -> None:
        with self.lock:
            self.count += 1


class LoadingLater(Loading):
    def load(self) -> None:
        time.sleep(1)
        super().load()


class LoadingAtATime(Loading):
    def start(self) -> None:
        threading.Timer(1, self.load).start()


@pytest.mark.parametrize("kind", [Loading, LoadingLater, LoadingAtATime])
def test_thread_of_the_set_up_that_ends_by_itself_is_part_of_the_race(kind: type[Loading]) -> None:
    assert explore(setup=kind, workers=[Loading.add, Loading.add]).verdict == "race"
