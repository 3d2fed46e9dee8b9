"""A sandbox that cannot be made, filled or used says what would help."""

import errno
import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from racehound.errors import HarnessError, UsageError
from racehound.processes import sandbox
from racehound.processes.backend import unsupported
from racehound.processes.room import copy_into, room_in, why_not_started
from racehound.processes.sandbox import Sandbox

pytestmark = pytest.mark.skipif(bool(unsupported()), reason="needs a system on which calls can be stopped")


def test_a_full_file_system_is_named_and_any_other_trouble_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(HarnessError, match=r"no room in .*TMPDIR"), room_in(tmp_path):
        Path("/dev/full").write_bytes(b"x")
    with pytest.raises(NotADirectoryError), room_in(tmp_path):
        Path("/dev/full/x").write_bytes(b"x")


def test_what_cannot_be_copied_is_named(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    os.mkfifo(tmp_path / "from" / "pipe")

    with pytest.raises(UsageError, match="pipe cannot be copied into the sandbox"):
        copy_into(tmp_path / "to", str(tmp_path / "from"))


def test_a_place_from_which_nothing_may_be_executed_is_told_from_a_file_without_the_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    denied = OSError(errno.EACCES, "Permission denied")
    flags = SimpleNamespace(f_flag=0)
    monkeypatch.setattr(os, "statvfs", lambda _: flags)

    assert why_not_started(sys.executable, denied) == "Permission denied"
    flags.f_flag = os.ST_NOEXEC
    assert why_not_started(sys.executable, denied).startswith("nothing may be executed in ")


def test_a_sandbox_that_could_not_be_made_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(sandbox, "PLACES", {"HOME": "x" * 300})

    with pytest.raises(OSError, match="name too long"), Sandbox():
        pass

    assert list(tmp_path.iterdir()) == []
