from __future__ import annotations

import errno
import io
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from drivers.envelopes import assert_is_failure_envelope
from drivers.lock_processes import directory_for_all, run
from racehound.guard import WriteFailed, atomic, atomic_write, temporaries
from racehound.guard.identity import start_time

if TYPE_CHECKING:
    from pathlib import Path

    from racehound.guard.atomic import Content


def names_in(directory: Path) -> list[str]:
    return sorted(entry.name for entry in directory.iterdir())


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize(
    "content",
    [
        "grün",
        "grün".encode(),
        bytearray("grün".encode()),
        memoryview("grün".encode()),
        io.StringIO("grün"),
        io.BytesIO("grün".encode()),
        ["gr", "ün".encode()],
        (piece for piece in ("g", "r", "ün")),
    ],
    ids=lambda content: type(content).__name__,
)
def test_text_bytes_and_streams_are_written(tmp_path: Path, content: Content) -> None:
    atomic_write(tmp_path / "f", content)

    assert (tmp_path / "f").read_bytes() == "grün".encode()
    assert names_in(tmp_path) == ["f"]


def test_large_streams_are_written_in_pieces(tmp_path: Path) -> None:
    data = os.urandom(3_000_000)
    atomic_write(tmp_path / "f", io.BytesIO(data))
    assert (tmp_path / "f").read_bytes() == data


def test_encoding_can_be_chosen(tmp_path: Path) -> None:
    atomic_write(tmp_path / "f", "ü", encoding="latin-1")
    assert (tmp_path / "f").read_bytes() == b"\xfc"


def test_new_file_is_for_the_user_alone_and_an_old_one_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "f"
    old = os.umask(0)
    try:
        atomic_write(path, "a")
        assert mode_of(path) == 0o600
        path.chmod(0o640)
        atomic_write(path, "b")
        assert mode_of(path) == 0o640
        atomic_write(path, "c", mode=0o666)
        assert mode_of(path) == 0o666
    finally:
        os.umask(old)


def test_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "f")
    atomic_write(tmp_path / "link", "x")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "f").read_text() == "x"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs the right to give files away")
def test_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.touch()
    os.chown(path, 65534, 65534)
    atomic_write(path, "x")
    assert (path.stat().st_uid, path.stat().st_gid) == (65534, 65534)


def test_stream_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    def failing() -> object:
        yield "half"
        raise LookupError

    path = tmp_path / "f"
    path.write_text("old")
    with pytest.raises(LookupError):
        atomic_write(path, failing())  # type: ignore[arg-type]  # yields before it raises

    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["f"]


def test_short_writes_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: honest(fd, data[:2]))
    atomic_write(tmp_path / "f", "abcdefg")
    monkeypatch.undo()
    assert (tmp_path / "f").read_text() == "abcdefg"


def test_missing_directory_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(WriteFailed, match="No such file") as caught:
        atomic_write(tmp_path / "none" / "f", "x")
    assert caught.value.errno == errno.ENOENT
    assert caught.value.suggestion == "Create the directory first"
    assert_is_failure_envelope(caught.value.envelope())


def test_file_size_limit_leaves_the_old_file(tmp_path: Path) -> None:
    code = """
import resource, signal, sys
from racehound.guard import atomic_write, WriteFailed
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, most))
try:
    atomic_write(sys.argv[1], "x" * 5000)
except WriteFailed as error:
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    print(error)
    sys.exit(error.exit_status)
"""
    path = tmp_path / "f"
    path.write_text("old")
    result = run(code, path)

    assert result.returncode == 1, result.stderr
    assert "the old file is unchanged" in result.stdout
    assert path.read_text() == "old"
    assert names_in(tmp_path) == ["f"]


def can_mount() -> bool:
    command = ["unshare", "--mount", "--map-root-user", "mount", "-t", "tmpfs", "none", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not can_mount(), reason="needs a mount namespace of its own for a disk that is full")
def test_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    code = """
import sys, pathlib
from racehound.guard import ConfigStore, WriteFailed, atomic_write
path = pathlib.Path(sys.argv[1], "f.json")
path.write_text('{"old": 1}')
for write in (lambda: atomic_write(path, "x" * 100_000), lambda: ConfigStore(path).set("a", "x" * 100_000)):
    try:
        write()
    except WriteFailed as error:
        assert error.errno == 28 and "Free space" in error.suggestion, error
    else:
        sys.exit("no error")
assert path.read_text() == '{"old": 1}'
print(sorted(p.name for p in path.parent.iterdir()))
"""
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=32k none "$1" && exec "$2" -c "$3" "$1"'
    result = subprocess.run(
        ["unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", disk, sys.executable, code],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )
    assert result.stdout == "['.f.json.lock', 'f.json']\n", result.stderr


def test_read_only_directory_leaves_the_old_file_and_is_exit_status_7() -> None:
    code = """
import os, sys
from racehound.guard import atomic_write, WriteFailed, ConfigStore, LockUnavailable
import racehound.guard.atomic, racehound.guard.format_json
if os.geteuid() == 0:
    os.setuid(65534)
try:
    atomic_write(sys.argv[1], "new")
except WriteFailed as error:
    print(error.suggestion)
    try:
        ConfigStore(sys.argv[1]).set("a", 1)
    except LockUnavailable as unavailable:
        assert unavailable.exit_status == 7
        sys.exit(error.exit_status)
"""
    with directory_for_all() as place:
        path = place / "f.json"
        path.write_text("{}")
        path.chmod(0o644)
        place.chmod(0o555)
        result = run(code, path)

        assert result.returncode == 7, result.stderr
        assert "not only for the file" in result.stdout
        assert path.read_text() == "{}"


def test_directory_that_cannot_be_synchronised_is_no_error_but_others_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, fails in ((errno.EINVAL, False), (errno.EIO, True)):

        def sync(fd: int, number: int = number) -> None:
            if stat.S_ISDIR(os.fstat(fd).st_mode):
                raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "fsync", sync)
        if fails:
            with pytest.raises(WriteFailed, match="Input/output error; the new content is there"):
                atomic_write(tmp_path / "f", "new")
        else:
            atomic_write(tmp_path / "f", "x")
    assert (tmp_path / "f").read_text() == "new"


def test_what_is_raised_before_the_rename_leaves_the_old_file(tmp_path: Path) -> None:
    def refuse() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        atomic.replace(tmp_path / "f", [b"x"], before_rename=refuse)
    assert names_in(tmp_path) == []


def left_by(target: Path, pid: int, started: str, machine: str | None = None, boot: str | None = None) -> Path:
    machine = temporaries._machine() if machine is None else machine
    boot = temporaries._boot() if boot is None else boot
    path = target.parent / f".{target.name}.{machine}-{boot}-{pid}-{started}-00000000.rh-tmp"
    path.touch()
    return path


def test_temporary_files_of_dead_writers_are_removed_and_those_of_live_ones_are_not(tmp_path: Path) -> None:
    target = tmp_path / "f"
    dead = [
        left_by(target, 4_194_399, "1"),
        left_by(target, os.getpid(), "1"),
        left_by(target, os.getpid(), start_time(os.getpid()), boot="00000000"),
        left_by(tmp_path / "another", 4_194_399, "1"),
        left_by(target, 1, "1", machine="00000000"),
    ]
    os.utime(dead[-1], (0, 0))
    alive = [
        left_by(target, os.getpid(), start_time(os.getpid())),
        left_by(target, 2, "1", machine="00000000"),
    ]
    (tmp_path / ".f.something.rh-tmp").touch()
    atomic_write(target, "x")

    assert not any(path.exists() for path in dead)
    assert all(path.exists() for path in alive)
    assert (tmp_path / ".f.something.rh-tmp").exists()


def test_long_names_can_be_written(tmp_path: Path) -> None:
    atomic_write(tmp_path / ("n" * 250), "x")
    assert names_in(tmp_path) == ["n" * 250]


def test_each_directory_is_listed_once_however_many_files_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[str] = []
    monkeypatch.setattr(temporaries, "prune", listed.append)
    for number in range(3):
        atomic_write(tmp_path / f"{number}", "x")

    assert listed == [str(tmp_path)]


def test_a_directory_that_may_not_be_listed_is_written_to_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(directory: str) -> list[str]:
        raise PermissionError(errno.EACCES, "Permission denied", directory)

    monkeypatch.setattr(os, "listdir", refuse)
    atomic_write(tmp_path / "f", "x")

    assert (tmp_path / "f").read_text() == "x"


def test_what_is_no_file_is_refused_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("pipe", "link"):
        with pytest.raises(WriteFailed, match="a device, a pipe or a socket"):
            atomic_write(tmp_path / name, "x")
    with pytest.raises(WriteFailed, match="Is a directory"):
        atomic_write(tmp_path, "x")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert names_in(tmp_path) == ["link", "pipe"]
