"""Locks that outlive their holders."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest

from drivers.lock_processes import HOLD_WITH_HEIR, PLAIN_FLOCK, child, holder, run, said
from racehound.guard import Lock, LockHeld, LockUnavailable, orphans
from racehound.guard.lock_owners import _entries, _text, lock_owners
from racehound.guard.lockfile import LockFile

if TYPE_CHECKING:
    from pathlib import Path


def test_lock_of_a_live_holder_is_not_forced(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with holder(path) as other, pytest.raises(LockHeld) as caught:
        Lock(path).force_unlock()
    assert caught.value.holder.pid == other.pid


def test_lock_of_an_unknown_holder_is_not_forced(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with child(PLAIN_FLOCK, path) as other:
        assert said(other) == ["ready"]
        with pytest.raises(LockHeld, match="left no record"):
            Lock(path).force_unlock()


def test_dead_holder_without_heirs_needs_no_force(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with holder(path) as other:
        other.kill()
        other.wait()
    inode = path.stat().st_ino
    unlocked = Lock(path).force_unlock()

    assert unlocked.holder.pid == other.pid
    assert unlocked.holder.is_known_dead
    assert not unlocked.replaced
    assert unlocked.orphans == ()
    assert path.stat().st_ino == inode


def test_heirs_of_a_dead_holder_are_named_and_the_path_gets_a_fresh_lock(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with child(HOLD_WITH_HEIR, path) as other:
        _, heir = said(other)
        other.kill()
        other.wait()
        with pytest.raises(LockHeld, match=f"PID {other.pid} .* is dead, and is still held.*PID {heir}") as caught:
            Lock(path, timeout=0).acquire()
        assert "--force-unlock" in caught.value.suggestion

        unlocked = Lock(path).force_unlock()

        assert unlocked.replaced
        assert [orphan.pid for orphan in unlocked.orphans] == [int(heir)]
        assert "readline" in unlocked.orphans[0].command
        with Lock(path, timeout=0):
            code = "import sys; from racehound.guard import Lock; Lock(sys.argv[1], timeout=0).acquire()"
            assert run(code, path).returncode == 1
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["x.lock"]
        os.kill(int(heir), signal.SIGKILL)


def test_waiter_behind_an_heir_moves_on_to_the_fresh_lock(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    lock = Lock(path, timeout=30)
    with child(HOLD_WITH_HEIR, path) as other:
        _, heir = said(other)
        other.kill()
        other.wait()
        waiting = threading.Thread(target=lambda: lock.acquire().release())
        waiting.start()
        Lock(path).force_unlock()
        os.kill(int(heir), signal.SIGKILL)
        waiting.join()
    assert lock._share is not None
    assert lock._share.file.is_current()


def test_lock_that_was_open_before_the_force_moves_on_while_the_heir_lives(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    lock = Lock(path, timeout=0.01)
    with child(HOLD_WITH_HEIR, path) as other:
        _, heir = said(other)
        other.kill()
        other.wait()
        with pytest.raises(LockHeld):
            lock.acquire()
        Lock(path).force_unlock()
        with lock:
            assert lock.is_held
        os.kill(int(heir), signal.SIGKILL)


def test_force_gives_the_file_back_if_somebody_got_the_lock_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.lock"
    answers = iter([False, True])
    honest = orphans._refuse_unless_dead

    def refuse_second(file: LockFile) -> None:
        if next(answers):
            file.sign("")
            file._records = True
            honest(file)

    with child(HOLD_WITH_HEIR, path) as other:
        _, heir = said(other)
        other.kill()
        other.wait()
        inode = path.stat().st_ino
        monkeypatch.setattr(orphans, "_refuse_unless_dead", refuse_second)
        monkeypatch.setattr(LockFile, "read_record", _live_record)
        with pytest.raises(LockHeld):
            Lock(path).force_unlock()
        os.kill(int(heir), signal.SIGKILL)

    assert path.stat().st_ino == inode
    assert b"moved=0" in path.read_bytes()
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.lock"]


def _live_record(file: LockFile) -> bytes:
    from racehound.guard import record  # noqa: PLC0415 - next to its only use

    return record.header(0, 0) + record.holder_part(record.process_part(""), 0, 1)


def test_mark_of_a_force_that_was_killed_half_way_is_ignored(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=0)
    with lock:
        pass
    assert lock._share is not None
    lock._share.file.mark(moved=True)

    with lock, Lock(tmp_path / "x.lock", timeout=0):
        assert lock._share.file.is_current()


def test_marked_and_moved_file_is_left_within_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    lock = Lock(path, timeout=0)
    with lock:
        pass
    assert lock._share is not None
    lock._share.file._turn_ends = 1 << 62
    lock._share.file.mark(moved=True)
    path.rename(tmp_path / "old.lock")

    with lock:
        assert lock._share.file.is_current()


def test_force_in_a_missing_directory_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(LockUnavailable):
        Lock(tmp_path / "none" / "x.lock").force_unlock()


def test_force_follows_a_file_that_is_replaced_under_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.lock"
    honest = LockFile.is_current
    answers = iter([False])
    monkeypatch.setattr(LockFile, "is_current", lambda file: next(answers, honest(file)))

    assert not Lock(path).force_unlock().replaced


def test_owners_are_nobody_where_nothing_is_locked(tmp_path: Path) -> None:
    status = tmp_path.stat()
    assert lock_owners((status.st_dev, status.st_ino)) == ()
    assert _entries(str(tmp_path / "none")) == []
    assert _text(str(tmp_path / "none")) == ""
