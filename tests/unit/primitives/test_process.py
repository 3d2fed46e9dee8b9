"""What ends the process of a search is kept from doing so, and named."""

import os
import signal
from collections.abc import Callable
from os import _exit as bound_before

import pytest

from racehound import explore

ENDINGS: dict[str, tuple[Callable[[], object], str]] = {
    "_exit": (lambda: os._exit(3), "ends its process: os._exit(3)"),
    "bound to a name before": (lambda: bound_before(4), "ends its process: os._exit(4)"),
    "abort": (os.abort, "ends its process: os.abort()"),
    "exec": (lambda: os.execlp("true", "true"), "ends its process: os.execv()"),  # noqa: S606 - it is not to
    "kill": (lambda: os.kill(os.getpid(), signal.SIGKILL), "ends or stops its process: SIGKILL"),
    "raise_signal": (lambda: signal.raise_signal(signal.SIGSTOP), "ends or stops its process: SIGSTOP"),
    "fork": (os.fork, "forks a process"),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_worker_that_would_end_the_process_is_inconclusive(name: str) -> None:
    end, reason = ENDINGS[name]

    result = explore(setup=list, workers=[lambda _: end()] * 2)

    assert result.verdict == "inconclusive"
    assert reason in result.proof.reason


def test_setup_that_would_end_the_process_is_inconclusive() -> None:
    result = explore(setup=lambda: os._exit(2), workers=[lambda _: None])

    assert result.verdict == "inconclusive"
    assert "os._exit(2)" in result.proof.reason


def test_end_that_only_an_interleaving_comes_to_is_inconclusive_as_well() -> None:
    def leave_if_changed(seen: list[int]) -> None:
        before = len(seen)
        seen.append(1)
        if len(seen) != before + 1:
            os._exit(9)

    result = explore(setup=list, workers=[leave_if_changed] * 2)

    assert result.verdict == "inconclusive"
    assert "os._exit(9)" in result.proof.reason


def test_signals_that_do_no_harm_are_sent() -> None:
    caught: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: caught.append(number))
    try:
        result = explore(
            setup=list,
            workers=[lambda _: os.kill(os.getpid(), 0), lambda _: signal.raise_signal(signal.SIGUSR1)],
        )
    finally:
        signal.signal(signal.SIGUSR1, before)

    assert result.verdict != "inconclusive"
    assert caught
