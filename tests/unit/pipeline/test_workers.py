"""Work shared out among processes: complete and in order whatever becomes of them, and none is left."""

import multiprocessing
from collections.abc import Callable, Iterator
from importlib import import_module
from operator import neg
from pathlib import Path
from typing import Any

import pytest

from racehound.pipeline.workers import Crew

pytestmark = [pytest.mark.slow, pytest.mark.measured_children]

PORTIONS = [list(range(start, start + 3)) for start in range(0, 24, 3)]
RESULTS = [-number for number in range(24)]
LABOUR = """
import multiprocessing, os, signal

def is_worker():
    return multiprocessing.parent_process() is not None

def killed(number):
    if number == 4 and is_worker():
        os.kill(os.getpid(), signal.SIGKILL)
    return -number

def refused(number):
    if number == 7 and is_worker():
        raise ValueError(number)
    return (lambda: number) if number == 13 and is_worker() else -number

def broken(number):
    raise ValueError(number)

def holds_interrupts_back(number):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
"""


@pytest.fixture
def labour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module that the workers can import as well."""
    (tmp_path / "labour_of_workers.py").write_text(LABOUR)
    monkeypatch.syspath_prepend(str(tmp_path))
    return import_module("labour_of_workers")


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    yield
    assert not multiprocessing.active_children()


def shared_out(work: Callable[[int], object], count: int = 2) -> list[object]:
    return list(Crew(work, PORTIONS).results(count))


def test_results_are_complete_and_in_order_when_a_worker_is_killed(labour: Any) -> None:
    assert shared_out(labour.killed) == RESULTS


def test_what_a_worker_cannot_do_or_pass_back_is_done_here(labour: Any) -> None:
    assert shared_out(labour.refused) == RESULTS


def test_error_comes_out_where_the_work_was_asked_for(labour: Any) -> None:
    with pytest.raises(ValueError, match="0"):
        shared_out(labour.broken, 1)


def test_interrupts_are_held_back_in_workers_alone(labour: Any) -> None:
    assert all(shared_out(labour.holds_interrupts_back))
    assert not labour.holds_interrupts_back(0)


def test_workers_end_when_nobody_wants_their_results_any_more() -> None:
    results = Crew(neg, PORTIONS).results(2)

    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]  # it is a generator


def test_interrupt_ends_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("racehound.pipeline.workers.wait", interrupted)

    with pytest.raises(KeyboardInterrupt):
        shared_out(neg)


def test_work_is_done_here_where_no_process_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr("multiprocessing.context.SpawnProcess.start", refuse)

    assert shared_out(neg) == RESULTS
