"""Threads of this process that wait for what nobody will do."""

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

import pytest

from racehound.scenario.plain_waits import settle, stand_of


@pytest.fixture
def begin(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], Future[None]]:
    """Starts a thread that is alone with this one, whatever other tests have left."""

    def begin(work: Callable[[], object]) -> Future[None]:
        future: Future[None] = Future()

        def run() -> None:
            work()
            future.set_result(None)

        thread = threading.Thread(target=run)
        thread.start()
        monkeypatch.setattr(threading, "enumerate", lambda: [threading.main_thread(), thread])
        return future

    return begin


def unready() -> bool:
    return False


@pytest.mark.parametrize("kind", ["event", "lock", "semaphore"])
def test_nobody_waits_for_who_waits_for_ever(
    kind: str, begin: Callable[[Callable[[], object]], Future[None]]
) -> None:
    event, lock, semaphore = threading.Event(), threading.Lock(), threading.Semaphore(0)
    lock.acquire()
    waits: dict[str, Callable[[], object]] = {
        "event": event.wait,
        "lock": partial(lock.acquire, timeout=-1),
        "semaphore": semaphore.acquire,
    }
    future = begin(waits[kind])

    settle([future], unready)

    assert not future.done()
    event.set()
    semaphore.release()
    lock.release()
    assert future.result(10) is None


def test_what_makes_a_difference_is_asked_for_once_all_stand_still(
    begin: Callable[[Callable[[], object]], Future[None]],
) -> None:
    event = threading.Event()
    asked = []

    def prompt() -> bool:
        asked.append(event.is_set())
        event.set()
        return len(asked) == 1

    future = begin(event.wait)
    settle([future], prompt)

    assert future.done()
    assert asked[0] is False


def test_who_waits_for_a_time_goes_on_by_itself(
    begin: Callable[[Callable[[], object]], Future[None]],
) -> None:
    event = threading.Event()
    future = begin(lambda: event.wait(60))
    ident = threading.enumerate()[1].ident or 0
    while sys._current_frames()[ident].f_code is not threading.Condition.wait.__code__:
        pass

    assert stand_of(ident) is None
    event.set()
    assert future.result(10) is None
