"""A command changes nothing outside its sandbox, however it is started, and what it wanted to change is told."""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from racehound.processes.backend import NAMES, unsupported
from racehound.processes.command import Command
from racehound.processes.fence import HELD, NOT_HELD, VARIABLE, Fence
from racehound.processes.landlock import is_there
from racehound.processes.outcome import Run
from racehound.processes.run import Point, execute, interleave, observe
from racehound.processes.sandbox import Sandbox

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(unsupported()), reason="needs a system on which calls can be stopped"),
    pytest.mark.skipif(not is_there(), reason="needs a kernel with Landlock"),
]
MEDDLING = (
    "echo new > {0}/new; echo more >> {0}/old; true > {0}/old; rm {0}/old; mkdir {0}/made; mv {0}/old {0}/moved; "
    "chmod 700 {0}/old; touch -d 2001-01-01 {0}/old; ln -s x {0}/link; mv {0}/old $TMPDIR/stolen; "
    "mv $HOME/mine work"
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of the user's, beside where sandboxes are made."""
    theirs, base = tmp_path / "theirs", tmp_path / "base"
    for folder in (theirs, base):
        folder.mkdir()
    (theirs / "old").write_text("old\n")
    (theirs / "old").chmod(0o640)
    monkeypatch.setattr(tempfile, "tempdir", str(base))
    return theirs


@pytest.fixture
def fenced(place: Path) -> Iterator[Sandbox]:
    assert place.is_dir()
    with Sandbox() as box:
        yield box


def meddle(place: Path, box: Sandbox, backend: str) -> Run:
    (box.home / "mine").write_text("mine\n")
    command = Command(("sh", "-c", MEDDLING.format(place)))
    if not backend:
        return execute(command, box, timeout=30)
    return observe(command, box, timeout=30)


@pytest.mark.parametrize(("backend", "private"), [("", True), ("", False), *((name, False) for name in NAMES)])
def test_files_outside_stay_as_they_are(place: Path, backend: str, *, private: bool) -> None:
    before = (place / "old").stat()

    with Sandbox(private=private, backend=backend) as box:
        run = meddle(place, box, backend)
        assert (box.work / "work").read_text() == "mine\n"
        private = bool(box.commons.places)

    after = (place / "old").stat()
    assert [entry.name for entry in place.iterdir()] == ["old"]
    assert (place / "old").read_text() == "old\n"
    assert len(re.findall(b"denied|Read-only", run.stderr)) >= 7
    if backend or private:
        assert (after.st_mode, after.st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    if backend:
        changed = {call.path for call in run.calls if call.outside and call.mutating}
        assert {str(place / name) for name in ("new", "old", "made", "moved", "link")} <= changed


def test_places_that_the_user_names_may_be_changed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(place))

    with Sandbox() as box:
        observe(Command(("sh", "-c", f"echo new > {place}/new; chmod 600 {place}/old")), box, timeout=30)
        assert not box.fence.forbids(str(place / "new"))

    assert (place / "new").read_text() == "new\n"
    assert (place / "old").stat().st_mode & 0o777 == 0o600


def test_devices_and_what_tells_of_processes_can_be_written_to(fenced: Sandbox) -> None:
    code = "echo x > /dev/null && echo 5 > /proc/self/oom_score_adj && echo out > /dev/stdout"

    run = observe(Command(("sh", "-c", code)), fenced, timeout=30)

    assert (run.status, run.stdout) == (0, b"out\n")


def test_commands_can_look_at_each_other(fenced: Sandbox) -> None:
    """As a tool does that asks who holds its lock."""
    left = Command(("sh", "-c", "echo $$ > holder; echo x > f"))
    looks = Command(("sh", "-c", "readlink /proc/$(cat holder)/cwd"))

    both = interleave(left, looks, fenced, Point("write", "work/f"), timeout=30)

    assert both.second.stdout == f"{fenced.work}\n".encode()


def test_where_the_kernel_holds_nothing_nothing_is_said_to_be_held(monkeypatch: pytest.MonkeyPatch) -> None:
    fence = Fence("/nowhere")
    assert (fence.limit, fence.forbids("/etc/passwd")) == (HELD.format("/dev/shm and /dev/mqueue"), True)

    monkeypatch.setattr(fence, "is_held", False)
    fence.enclose()

    assert (fence.limit, fence.forbids("/etc/passwd")) == (NOT_HELD, False)
