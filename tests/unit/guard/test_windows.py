"""The file locks of Windows, on a stand-in for `msvcrt` that is as strict as the real one.

Nothing here tells how Windows behaves. It tells that our side keeps to the rules of `msvcrt.locking`: it locks
from the position of the file on, never overlaps, not even with oneself, and unlocks exactly what was locked.
"""

import errno
import os
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import racehound.guard.windows


class StrictLocks(ModuleType):
    LK_UNLCK, LK_NBLCK = 0, 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.held: list[tuple[int, int, int]] = []

    def locking(self, fd: int, mode: int, size: int) -> None:
        start = os.lseek(fd, 0, os.SEEK_CUR)
        if mode == self.LK_UNLCK:
            if (fd, start, size) not in self.held:
                raise PermissionError(errno.EACCES, "not locked like this")
            self.held.remove((fd, start, size))
        elif any(start < other + length and other < start + size for _, other, length in self.held):
            raise OSError(errno.EDEADLK, "somebody has a part of it")
        else:
            self.held.append((fd, start, size))


@pytest.fixture
def msvcrt(monkeypatch: pytest.MonkeyPatch) -> StrictLocks:
    made = StrictLocks()
    monkeypatch.setitem(sys.modules, "msvcrt", made)
    return made


@pytest.fixture
def windows(msvcrt: StrictLocks, monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = spec_from_file_location("windows_on_a_stand_in", racehound.guard.windows.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", "win32")
        spec.loader.exec_module(module)
    monkeypatch.setattr(module.time, "sleep", lambda _: None)
    return module


@pytest.fixture
def fds(tmp_path: Path) -> Iterator[tuple[int, int]]:
    path = tmp_path / "lock"
    pair = (os.open(path, os.O_RDWR | os.O_CREAT), os.open(path, os.O_RDWR))
    yield pair
    for fd in pair:
        os.close(fd)


def test_one_holder_at_a_time(windows: Any, fds: tuple[int, int]) -> None:
    one, other = fds
    assert windows.try_lock(one)
    assert not windows.try_lock(other)
    assert not windows.try_share(other)
    windows.unlock(one)
    assert windows.try_lock(other)


def test_shares_stand_side_by_side_and_keep_the_holder_out(windows: Any, fds: tuple[int, int]) -> None:
    one, other = fds
    assert windows.try_share(one)
    assert windows.try_share(other)
    assert not windows.try_lock(one)
    assert not windows.try_lock(other)


def test_the_last_share_becomes_the_whole_lock(windows: Any, msvcrt: StrictLocks, fds: tuple[int, int]) -> None:
    one, _ = fds
    assert windows.try_share(one)
    assert windows.try_lock(one)
    windows.unlock(one)

    assert msvcrt.held == []


def test_what_is_not_locked_may_be_unlocked(windows: Any, fds: tuple[int, int]) -> None:
    windows.unlock(fds[0])

    assert windows.try_lock(fds[1])


def test_waiting_ends_when_the_holder_leaves(
    windows: Any, fds: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = fds
    delays: list[float] = []

    def sleep(seconds: float) -> None:
        delays.append(seconds)
        if len(delays) == 12:
            windows.unlock(one)

    monkeypatch.setattr(windows.time, "sleep", sleep)
    windows.lock(one)
    windows.lock(other)

    assert len(delays) == 12
    assert delays[0] < 0.002
    assert max(delays) <= 0.15 * 1.001  # the ceiling, give or take the last bit of a float


def test_the_record_lies_before_the_locked_bytes(windows: Any, fds: tuple[int, int]) -> None:
    one, other = fds
    assert windows.try_lock(one)
    assert windows.write_at(one, b"record", 10) == 6

    assert windows.read_at(other, 6, 10) == b"record"


def test_there_is_no_gate(windows: Any, fds: tuple[int, int]) -> None:
    one, other = fds
    windows.enter_gate(one)
    assert windows.try_enter_gate(other)
    windows.leave_gate(one)
