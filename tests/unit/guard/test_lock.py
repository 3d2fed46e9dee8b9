from __future__ import annotations

import gc
import os
import stat
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from drivers.envelopes import assert_is_failure_envelope
from drivers.lock_processes import child, directory_for_all, go_on, holder, run, said
from racehound.guard import Lock, LockHeld, LockUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable


def in_thread(work: Callable[[], object]) -> object:
    """What the work returns or raises in a thread of its own."""
    outcome: list[object] = []

    def body() -> None:
        try:
            outcome.append(work())
        except Exception as error:  # noqa: BLE001 - handed to the test
            outcome.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    return outcome[0]


def is_free(path: Path) -> bool:
    """Asked from another process, because that one cannot be fooled by what this one believes."""
    code = "import sys; from racehound.guard import Lock; Lock(sys.argv[1], timeout=0).acquire()"
    return run(code, path).returncode == 0


def test_lock_excludes_another_process_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "build.lock"
    with holder(path) as other, pytest.raises(LockHeld) as caught:
        Lock(path, timeout=0.05).acquire()

    held = caught.value
    assert held.holder.pid == other.pid
    assert held.exit_status == 4
    assert held.lock_file == str(path)
    assert f"PID {other.pid}" in str(held)
    assert held.holder.age_ms is not None
    assert held.detail == f"lock_file={path} holder_pid={other.pid} holder_age_ms={held.holder.age_ms}"
    assert 50 <= held.retry_after_ms <= 75
    assert held.duration_ms >= 50
    assert_is_failure_envelope(held.envelope())


def test_lock_is_free_after_the_block(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with Lock(path) as lock:
        assert lock.is_held
        assert not is_free(path)

    assert not lock.is_held
    assert is_free(path)
    assert path.exists()


def test_lock_is_free_at_once_after_its_holder_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with holder(path) as other:
        other.kill()
        other.wait()
        with Lock(path, timeout=0) as lock:
            assert lock.is_held


def test_waiter_gets_the_lock_when_the_other_process_releases_it(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with holder(path) as other:
        go_on(other)
        with Lock(path, timeout=30) as lock:
            assert lock.is_held


def test_endless_timeout_waits_for_the_other_process(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with holder(path) as other:
        refused = in_thread(lambda: Lock(path, timeout=0).acquire())
        assert isinstance(refused, LockHeld)
        release = threading.Timer(0.02, go_on, [other])
        release.start()
        with Lock(path, timeout=None) as lock:
            assert lock.is_held
        release.join()


def test_same_thread_enters_again_through_any_object_of_the_path(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    (tmp_path / "link").symlink_to(tmp_path)
    with Lock(path, timeout=0), Lock(path, timeout=0) as inner:
        with Lock(tmp_path / "link" / "x.lock", timeout=0):
            pass
        assert inner.is_held
        assert not is_free(path)

    assert is_free(path)


def test_another_thread_is_refused_and_told_that_it_is_this_process(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with Lock(path) as lock:
        refused = in_thread(lambda: Lock(path, timeout=0.01).acquire())
        seen = in_thread(lambda: lock.is_held)

    assert isinstance(refused, LockHeld)
    assert refused.holder.pid == os.getpid()
    assert "this very process" in str(refused)
    assert seen is False


def test_threads_exclude_each_other(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock", timeout=30)
    counter = [0]

    def add() -> None:
        for _ in range(50):
            with lock:
                value = counter[0]
                os.stat(tmp_path)  # noqa: PTH116 - gives up the interpreter lock, so that others run
                counter[0] = value + 1

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert counter == [200]


def test_only_the_owner_may_release(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "x.lock")
    with pytest.raises(RuntimeError, match="before it was acquired"):
        lock.release()
    with lock:
        assert isinstance(in_thread(lock.release), RuntimeError)
    with pytest.raises(RuntimeError, match="does not hold it"):
        lock.release()


def test_lock_that_nobody_refers_to_is_still_held(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    Lock(path).acquire()
    gc.collect()

    assert not is_free(path)
    again = Lock(path).acquire()
    again.release()
    again.release()
    assert is_free(path)


def open_below(directory: Path) -> int:
    descriptors = list(Path("/proc/self/fd").iterdir())
    return sum(entry.resolve().is_relative_to(directory) for entry in descriptors)


def test_lock_file_never_stands_in_for_a_closed_standard_stream(tmp_path: Path) -> None:
    code = """
import os, sys
from racehound.guard import Lock
with Lock(sys.argv[1]):
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        os._exit(1)
"""
    shell = '"$@" <&- >&- 2>&-'

    done = subprocess.run(["sh", "-c", shell, "sh", sys.executable, "-c", code, tmp_path / "lock"], check=False)

    assert done.returncode == 0


def test_descriptors_of_forgotten_locks_are_closed_but_for_the_latest_few(tmp_path: Path) -> None:
    for index in range(40):
        with Lock(tmp_path / f"{index}.lock"):
            assert open_below(tmp_path) <= 9
    gc.collect()

    assert open_below(tmp_path) == 8


def test_new_object_for_each_block_opens_the_file_once(tmp_path: Path) -> None:
    shares = set()
    for _ in range(3):
        with Lock(tmp_path / "x.lock") as lock:
            shares.add(lock._share)

    assert len(shares) == 1


def test_new_object_notices_that_the_file_was_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with Lock(path) as lock:
        assert lock._share is not None
        lock._share.file._turn_ends = 0
    path.unlink()
    with Lock(path, timeout=0):
        assert not is_free(path)


def test_lock_file_has_the_permissions_asked_for_whatever_the_umask(tmp_path: Path) -> None:
    old = os.umask(0o777)
    try:
        with Lock(tmp_path / "shared.lock", mode=0o666), Lock(tmp_path / "own.lock"):
            pass
    finally:
        os.umask(old)

    assert stat.S_IMODE((tmp_path / "shared.lock").stat().st_mode) == 0o666
    assert stat.S_IMODE((tmp_path / "own.lock").stat().st_mode) == 0o600


def test_lock_file_is_never_removed_and_keeps_its_identity(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    inodes = set()
    for _ in range(3):
        with Lock(path):
            inodes.add(path.stat().st_ino)

    assert len(inodes) == 1


def test_deleted_lock_file_is_made_anew_and_still_excludes(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    lock = Lock(path, timeout=0)
    with lock:
        pass
    path.unlink()
    lock._share.file._turn_ends = 0  # type: ignore[union-attr]  # the turn is over

    with lock:
        assert path.exists()
        assert not is_free(path)


def test_spawned_program_does_not_inherit_the_lock(tmp_path: Path) -> None:
    code = """
import subprocess, sys
from racehound.guard import Lock
Lock(sys.argv[1]).acquire()
subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.readline()"], stdin=sys.stdin,
                 stdout=subprocess.DEVNULL, close_fds=False)
print("ready", flush=True)
sys.stdin.readline()
"""
    path = tmp_path / "x.lock"
    with child(code, path) as other:
        assert said(other) == ["ready"]
        assert not is_free(path)
        other.kill()
        other.wait()
        assert is_free(path)


def test_forked_child_does_not_keep_the_lock_of_its_dead_parent(tmp_path: Path) -> None:
    code = """
import os, sys
from racehound.guard import Lock
lock = Lock(sys.argv[1]).acquire()
if os.fork() == 0:
    print("ready", lock.is_held, flush=True)
sys.stdin.readline()
"""
    path = tmp_path / "x.lock"
    with child(code, path) as other:
        assert said(other) == ["ready", "False"]
        assert not is_free(path)
        other.kill()
        other.wait()
        assert is_free(path)


def test_forked_child_that_leaves_the_block_does_not_release_the_lock_of_its_parent(tmp_path: Path) -> None:
    code = """
import os, sys
from racehound.guard import Lock, LockHeld
lock = Lock(sys.argv[1], timeout=0)
with lock:
    with lock:
        pid = os.fork()
        if pid == 0:
            try:
                with lock:
                    os._exit(2)
            except LockHeld as held:
                assert held.holder.pid == os.getppid(), held
    if pid:
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        print("ready", flush=True)
        sys.stdin.readline()
if pid == 0:
    try:
        lock.release()
    except RuntimeError:
        os._exit(0)
    os._exit(3)
"""
    path = tmp_path / "x.lock"
    with child(code, path) as other:
        assert said(other) == ["ready"]
        assert not is_free(path)


def test_timeout_is_checked(tmp_path: Path) -> None:
    for wrong in (-1, -1.5, float("nan")):
        with pytest.raises(ValueError, match="seconds from 0 on"):
            Lock(tmp_path / "x.lock", timeout=wrong)
    with Lock(tmp_path / "x.lock"):
        errors = [in_thread(partial(Lock(tmp_path / "x.lock").acquire, timeout=wrong)) for wrong in (-1, -5)]
    assert [type(error) for error in errors] == [ValueError, ValueError]


def test_bare_name_lies_in_the_lock_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACEHOUND_LOCK_DIR", str(tmp_path / "locks"))
    with Lock("build") as lock:
        assert lock.path == str(tmp_path / "locks" / "build.lock")
    assert stat.S_IMODE((tmp_path / "locks").stat().st_mode) == 0o700
    assert repr(lock) == f"Lock({lock.path!r}, timeout=10.0)"


def test_lock_directory_is_below_the_home_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RACEHOUND_LOCK_DIR", raising=False)
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Lock("a").path == str(tmp_path / ".local/state/racehound/locks/a.lock")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert Lock("a").path == str(tmp_path / "state/racehound/locks/a.lock")


def test_path_may_be_relative_or_bare_if_it_is_a_path_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Lock("./x.lock").path == str(tmp_path / "x.lock")
    assert Lock(Path("x.lock")).path == str(tmp_path / "x.lock")


@pytest.mark.parametrize("name", ["", "..", "a\0b", "ü", "a b", "-x", "x" * 129, "./a\0b"])
def test_unsafe_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"no name of a lock|no lock"):
        Lock(name)


def test_missing_directory_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(LockUnavailable, match="No such file or directory") as caught:
        Lock(tmp_path / "none" / "x.lock").acquire()
    assert caught.value.exit_status == 1
    assert_is_failure_envelope(caught.value.envelope())


def test_lock_works_where_the_record_cannot_be_written(tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from racehound.guard import Lock
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
if sys.argv[2] == "late":
    with Lock(sys.argv[1]):
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
lock = Lock(sys.argv[1])
for _ in range(2):
    with lock:
        pass
with lock:
    print("ready", flush=True)
    sys.stdin.readline()
"""
    for when in ("early", "late"):
        path = tmp_path / when
        with child(code, path, when) as other:
            assert said(other) == ["ready"]
            with pytest.raises(LockHeld) as caught:
                Lock(path, timeout=0).acquire()
            assert f"PID {other.pid}" in str(caught.value)


def test_denied_lock_file_is_exit_status_7() -> None:
    code = """
import os, sys
from racehound.guard import Lock, LockUnavailable
lock = Lock(sys.argv[1])
import racehound.guard.share, racehound.guard.errors
if os.geteuid() == 0:
    os.setuid(65534)
try:
    lock.acquire()
except LockUnavailable as error:
    print(error)
    sys.exit(error.exit_status)
"""
    with directory_for_all() as place:
        path = place / "x.lock"
        path.touch()
        path.chmod(0)
        result = run(code, path)
    assert (result.returncode, "Permission denied" in result.stdout) == (7, True), result


def test_a_lock_directory_that_cannot_be_made_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("RACEHOUND_LOCK_DIR", str(tmp_path / "file" / "locks"))
    with pytest.raises(LockUnavailable, match=r"where locks with a bare name live: Not a directory") as refused:
        Lock("build")

    assert "RACEHOUND_LOCK_DIR" in refused.value.suggestion
