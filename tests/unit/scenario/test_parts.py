"""A `with` block is not one step: others may come in between, and that alone is no race."""

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from racehound import explore
from racehound.reporters.wording import spoken
from racehound.scenario.parts import parts_of, run_whole


class Meter:
    """Knows how many are at work."""

    def __init__(self) -> None:
        self.active = 0

    def _change(self, by: int) -> int:
        self.active += by
        return self.active

    @contextmanager
    def working(self) -> Iterator[int]:
        number = self._change(1)
        yield number
        self._change(-1)


class SoundMeter(Meter):
    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def _change(self, by: int) -> int:
        with self._lock:
            return super()._change(by)


def work(meter: Meter) -> Generator[None, None, int]:
    with meter.working() as number:
        yield
    return number


def test_blocks_that_overlap_are_no_race() -> None:
    result = explore(setup=SoundMeter, workers=[work, work])

    assert result.verdict in {"safe", "sampled"}


def test_race_at_the_edges_of_a_block_is_found() -> None:
    assert explore(setup=Meter, workers=[work, work]).verdict == "race"


def test_block_that_is_called_one_step_must_not_overlap() -> None:
    def whole(meter: Meter) -> object:
        return run_whole(work, meter)

    result = explore(setup=SoundMeter, workers=[whole, whole])

    assert result.verdict == "race"


def test_block_that_excludes_others_is_safe() -> None:
    def exclusive(lock: threading.Lock) -> Iterator[None]:
        with lock:
            yield

    assert explore(setup=threading.Lock, workers=[exclusive, exclusive]).verdict == "safe"


def test_deadlock_between_two_blocks_is_found() -> None:
    def nested(first: int) -> Callable[[list[threading.Lock]], Iterator[None]]:
        def take(locks: list[threading.Lock]) -> Iterator[None]:
            with locks[first]:
                yield
                with locks[1 - first]:
                    pass

        return take

    result = explore(setup=lambda: [threading.Lock(), threading.Lock()], workers=[nested(0), nested(1)])

    assert result.verdict == "race"
    assert result.failure is not None
    assert "wait" in result.failure


def test_what_raises_in_a_part_has_no_later_ones() -> None:
    def first_only(meter: SoundMeter) -> Iterator[None]:
        if meter._change(1) > 1:
            raise ValueError("too many")
        yield
        meter._change(10)

    assert explore(setup=SoundMeter, workers=[first_only, first_only]).verdict == "safe"


@pytest.mark.parametrize(("count", "operation"), [(2, work), (1, len)])
def test_parts_are_counted_by_the_places_that_yield(count: int, operation: object) -> None:
    assert parts_of(operation) == count  # type: ignore[arg-type]  # either is a function


def test_block_is_shown_as_a_statement() -> None:
    block = "((block := subject.lease()).__enter__(), (yield), block.__exit__(None, None, None))[0]"

    assert spoken(block) == "with subject.lease(): ..."
    assert spoken("subject.lease()") == "subject.lease()"


def test_block_of_a_coroutine_is_shown_as_a_statement() -> None:
    block = "(await (block := subject.hire()).__aenter__(), await block.__aexit__(None, None, None))[0]"

    assert spoken(block) == "async with subject.hire(): ..."


def test_parts_of_what_is_bound_to_something_are_those_of_the_function() -> None:
    def work(factor: int, subject: int) -> Generator[None, None, int]:
        yield
        yield
        return factor * subject

    class Desk:
        def serve(self) -> Generator[None, None, None]:
            yield

    assert parts_of(partial(work, 2)) == 3
    assert parts_of(Desk().serve) == 2
