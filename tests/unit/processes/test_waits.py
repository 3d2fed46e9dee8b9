"""Which sleeping calls only another process can end."""

import ctypes
import os
import platform
import socket
import time
from dataclasses import replace

import pytest

from racehound.processes.procfs import ThreadState
from racehound.processes.waits import NAPS, NUMBERS, TIME, is_endless, nap_left, naps

HERE = NUMBERS.get(platform.machine(), {})
pytestmark = pytest.mark.skipif(not HERE, reason="needs an architecture whose calls are known")
FOREVER = 2**32 - 1


def sleeping(name: str, *arguments: int) -> ThreadState:
    number = next(number for number, known in HERE.items() if known == name)
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    return ThreadState(os.getpid(), "S", 0, 0, number, padded)


@pytest.mark.parametrize("name", ["flock", "fcntl", "wait", "open", "sigsuspend"])
def test_locks_and_children_are_waited_for_without_end(name: str) -> None:
    assert is_endless(sleeping(name))


def test_a_call_that_is_not_told_or_not_known_may_end() -> None:
    assert not is_endless(replace(sleeping("flock"), call=None))
    assert not is_endless(replace(sleeping("flock"), call=9999))


def test_a_pipe_is_ours_and_a_socket_is_not() -> None:
    ours, theirs = os.pipe()
    with socket.socket() as outside:
        assert is_endless(sleeping("read", ours))
        assert is_endless(sleeping("write", theirs))
        assert not is_endless(sleeping("read", outside.fileno()))
        assert not is_endless(sleeping("read", 9999))
    os.close(ours)
    os.close(theirs)


def test_a_time_limit_is_an_end() -> None:
    assert is_endless(sleeping("futex", 1, 0, 0, 0))
    assert not is_endless(sleeping("futex", 1, 0, 0, 0x7FFF0000))
    assert not is_endless(sleeping("epoll", 3, 0, 1, 100))


def test_whoever_has_a_socket_may_hear_from_outside() -> None:
    with socket.socket():
        assert not is_endless(sleeping("epoll", 3, 0, 1, FOREVER))
        assert not is_endless(sleeping("ppoll", 0, 1, 0))


def test_a_thread_that_is_gone_is_not_judged() -> None:
    gone = replace(sleeping("epoll", 3, 0, 1, FOREVER), thread=2**22 + 1)

    assert not is_endless(gone)


def napping(place: int, seconds: int, *, absolute: int) -> tuple[ThreadState, object]:
    """As if this process slept; the second value keeps the memory that holds the time."""
    memory = ctypes.create_string_buffer(TIME.pack(seconds, 500_000_000))
    number = next(number for number, argument in NAPS[platform.machine()].items() if argument == place)
    given = [time.CLOCK_MONOTONIC, absolute, 0, 0, 0, 0]
    given[place] = ctypes.addressof(memory)
    return replace(sleeping("flock"), call=number, arguments=tuple(given)), memory


def test_how_long_a_nap_still_takes_is_read_from_the_one_who_naps() -> None:
    for place in (0, 2):
        state, _memory = napping(place, 600, absolute=0)

        assert naps(state)
        assert nap_left(state, 20.0) == 580.5


def test_a_nap_until_a_time_takes_until_then() -> None:
    state, _memory = napping(2, int(time.monotonic()) + 100, absolute=1)

    assert 99 < nap_left(state, 20.0) < 101


def test_a_nap_of_a_thread_that_is_gone_may_be_over() -> None:
    state, _memory = napping(2, 600, absolute=0)

    assert nap_left(replace(state, thread=2**22 + 1), 20.0) == -20.0
