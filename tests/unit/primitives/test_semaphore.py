import threading
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racehound.engine.explorer import Explorer
from racehound.primitives.mirrors import installed
from racehound.strategies.guided import Guided

Body = Callable[[], object]
Outcomes = Callable[[Callable[[], list[Body]]], set[tuple[str, tuple[object, ...]]]]


def told(semaphore: threading.Semaphore, calls: list[str]) -> list[object]:
    actions: dict[str, Callable[[], object]] = {
        "try": lambda: semaphore.acquire(blocking=False),
        "timed": lambda: semaphore.acquire(timeout=0),
        "both": lambda: semaphore.acquire(blocking=False, timeout=1),
        "release": semaphore.release,
        "release two": lambda: semaphore.release(2),
        "release none": lambda: semaphore.release(0),
    }
    results: list[object] = []
    for call in calls:
        try:
            results.append(actions[call]())
        except ValueError as error:
            results.append(str(error))
    return results


CALLS = st.lists(st.sampled_from(["try", "timed", "both", "release", "release two", "release none"]), max_size=8)


@pytest.mark.parametrize("kind", [threading.Semaphore, threading.BoundedSemaphore])
@settings(max_examples=30, deadline=None)
@given(places=st.integers(0, 2), calls=CALLS)
def test_semaphore_agrees_with_the_original_call_by_call(
    kind: type[threading.Semaphore], places: int, calls: list[str]
) -> None:
    plain = told(kind(places), calls)
    with installed():
        explorer = Explorer()
        trace = explorer.run(lambda: [lambda: told(kind(places), calls)], Guided([]))
        explorer.close()

    assert trace.tasks[0].result == plain


def test_last_place_goes_to_whoever_comes_first(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        semaphore = threading.Semaphore(1)
        return [lambda: semaphore.acquire(blocking=False)] * 2

    assert outcomes(make) == {("complete", (True, False)), ("complete", (False, True))}


def test_one_who_waits_goes_on_when_a_place_is_free(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        semaphore = threading.Semaphore(0)
        return [semaphore.acquire, semaphore.release, lambda: semaphore.acquire(timeout=1)]

    assert outcomes(make) == {("complete", (True, None, False)), ("deadlock", ())}


def test_releasing_too_often_depends_on_who_comes_first(outcomes: Outcomes) -> None:
    def make() -> list[Body]:
        semaphore = threading.BoundedSemaphore(1)

        def release() -> object:
            try:
                semaphore.release()
            except ValueError:
                return "too often"
            return None

        return [lambda: semaphore.acquire(), release]  # noqa: PLW0108 - looked up under control

    assert outcomes(make) == {("complete", (True, None)), ("complete", (True, "too often"))}


def test_semaphore_outside_of_control_is_the_original(explorer: Explorer) -> None:
    semaphore = threading.BoundedSemaphore(1)

    with semaphore:
        assert not semaphore.acquire(blocking=False)
    plain = threading.Semaphore(0)
    plain.release()
    assert plain.acquire()
