"""A sandbox is private, comes back as it was, and is gone afterwards, whatever happens to its owner."""

import errno
import os
import select
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from racehound.audit.views.tree import tree_entries
from racehound.errors import HarnessError
from racehound.processes import procfs, slots, trees
from racehound.processes.attributes import attributes
from racehound.processes.command import Command
from racehound.processes.environment import environment
from racehound.processes.run import execute, observe
from racehound.processes.sandbox import Sandbox
from racehound.processes.slots import base_directory, take_slot

OWNER = """
import signal, sys, tempfile
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts the tests in the background ignores it
tempfile.tempdir = sys.argv[1]
from racehound.processes.command import Command
from racehound.processes.run import observe
from racehound.processes.sandbox import Sandbox
with Sandbox() as box:
    print(box.keeping.janitor, flush=True)
    observe(Command.parse("touch begun; (sleep 1000 &); sleep 1000"), box, timeout=1000)
"""


def entries(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """Mode, time and content of everything below."""
    found = {}
    for path in [root, *sorted(root.rglob("*"))]:
        state = path.lstat()
        content = b""
        if path.is_symlink():
            content = str(path.readlink()).encode()
        elif path.is_file():
            content = path.read_bytes()
        found[str(path.relative_to(root))] = (
            stat.S_IFMT(state.st_mode) | state.st_mode,
            state.st_mtime_ns,
            content,
        )
    return found


def test_a_command_finds_its_own_places_and_nothing_of_the_user(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "NPM_CONFIG_PREFIX", "PIP_CONFIG_FILE", "SECRET"):
        monkeypatch.setenv(name, "/nowhere")

    printed = execute(Command(("env",)), sandbox, timeout=20).stdout.decode()

    found = dict(line.split("=", 1) for line in printed.splitlines())
    assert found["HOME"] == str(sandbox.home)
    assert found["PWD"] == str(sandbox.work)
    assert found["TMPDIR"] == str(sandbox.root / "tmp")
    assert found["XDG_CONFIG_HOME"] == str(sandbox.root / "xdg" / "config")
    assert found["npm_config_update_notifier"] == "false"
    assert not {"GIT_DIR", "NPM_CONFIG_PREFIX", "PIP_CONFIG_FILE", "SECRET"} & set(found)
    assert stat.S_IMODE((sandbox.root / "xdg" / "runtime").stat().st_mode) == 0o700


def test_variables_of_the_caller_win(base: Path) -> None:
    with Sandbox({"LANG": "C", "TOOL_MODE": "fast"}) as box:
        printed = execute(Command(("env",)), box, timeout=20).stdout.decode().splitlines()

    assert {"LANG=C", "TOOL_MODE=fast"} <= set(printed)


def test_everything_a_command_changed_is_brought_back(sandbox: Sandbox) -> None:
    work = sandbox.work
    (work / "deep" / "empty").mkdir(parents=True)
    (work / "deep" / "file").write_text("old\n")
    (work / "script").write_text("#!/bin/sh\n")
    (work / "script").chmod(0o755)
    (work / "link").symlink_to("deep/file")
    (work / "dangling").symlink_to("nowhere")
    (work / "full").mkdir()
    (work / "full" / "file").write_text("in")
    os.mkfifo(work / "pipe")
    os.utime(work / "deep" / "file", (1, 2))
    os.utime(work / "deep", (3, 4))
    sandbox.keep_as_golden()
    before = entries(sandbox.root)
    changes = """
        echo new > deep/file; rm link; mkdir link; touch link/inside; chmod 600 script; rmdir deep/empty
        rm pipe; rm dangling; ln -s elsewhere dangling; echo more > added
        mkdir closed; touch closed/in; chmod 0 closed
        mv script "$HOME/script"; rm -r "$TMPDIR"; rm -r full; echo file > full
    """
    for _ in range(3):
        run = execute(Command(("sh", "-c", changes)), sandbox, timeout=20)
        assert (run.status, run.stderr) == (0, b"")
        assert entries(sandbox.root) != before

        sandbox.restore()

        assert entries(sandbox.root) == before


def test_a_change_that_leaves_size_and_time_is_brought_back(sandbox: Sandbox) -> None:
    file = sandbox.work / "file"
    file.write_text("old")
    sandbox.keep_as_golden()
    for _ in range(5):
        before = file.stat()
        file.write_text("new")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

        sandbox.restore()

        assert file.read_text() == "old"


def test_extended_attributes_are_state_and_are_brought_back(sandbox: Sandbox) -> None:
    file, folder = sandbox.work / "file", sandbox.work / "folder"
    file.write_text("text")
    folder.mkdir()
    try:
        os.setxattr(file, "user.old", b"1")
    except OSError:
        pytest.skip("needs a file system with extended attributes")
    os.setxattr(folder, "user.old", b"2")
    sandbox.keep_as_golden()
    for path in (file, folder):
        os.setxattr(path, "user.new", b"3")
        os.setxattr(path, "user.old", b"4")

    seen = tree_entries(sandbox.root, ["work"])
    sandbox.restore()

    assert {name: value for name, value in seen.items() if "attribute" in name} == {
        "work/file: attribute user.new": "b'3'",
        "work/file: attribute user.old": "b'4'",
        "work/folder: attribute user.new": "b'3'",
        "work/folder: attribute user.old": "b'4'",
    }
    assert (attributes(file), attributes(folder)) == ({"user.old": b"1"}, {"user.old": b"2"})
    assert attributes(sandbox.work / "missing") == {}


def test_what_did_not_change_is_left_alone(sandbox: Sandbox) -> None:
    kept, changed = sandbox.work / "kept", sandbox.work / "changed"
    kept.write_text("kept")
    changed.write_text("old")
    sandbox.keep_as_golden()
    inode = kept.stat().st_ino
    changed.write_text("new")

    sandbox.restore()

    assert kept.stat().st_ino == inode
    assert changed.read_text() == "old"


def test_sandboxes_one_after_the_other_have_the_same_path_and_at_once_do_not(base: Path) -> None:
    with Sandbox() as one, Sandbox() as two:
        assert one.root != two.root
        first = one.root
    with Sandbox() as three:
        assert three.root == first
    assert list(base.iterdir()) == []


def test_what_a_dead_owner_left_is_removed(base: Path) -> None:
    left = base_directory() / "7"
    (left / "box" / "closed").mkdir(parents=True)
    (left / "box" / "closed").chmod(0)

    slot = take_slot()

    assert not left.exists()
    slot.release()
    assert list(base.iterdir()) == []


def test_a_place_that_cannot_be_emptied_is_left_alone(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spoiled = base_directory() / "0"
    (spoiled / "box").mkdir(parents=True)
    honest = trees.empty_directory

    def empty(directory: Path) -> None:
        if directory == spoiled:
            raise PermissionError(errno.EPERM, "Operation not permitted")
        honest(directory)

    monkeypatch.setattr(slots, "empty_directory", empty)
    slot = take_slot()

    assert slot.directory.name == "1"
    slot.release()
    assert [entry.name for entry in spoiled.iterdir()] == ["box"]


def test_base_that_the_last_owner_removes_at_this_moment_is_made_again(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = base_directory()
    lstat = Path.lstat

    def gone(path: Path) -> os.stat_result:
        if path == there:
            path.rmdir()
        return lstat(path)

    monkeypatch.setattr(Path, "lstat", gone)

    slot = take_slot()

    assert slot.directory.parent == there
    monkeypatch.undo()
    slot.release()


def test_a_place_that_somebody_else_has_by_now_is_left_to_them(base: Path) -> None:
    ours = take_slot()
    ours.directory.rmdir()  # the keeper is quicker than its owner
    theirs = take_slot()

    ours.release()

    assert theirs.directory == ours.directory
    assert theirs.directory.is_dir()
    theirs.release()
    assert list(base.iterdir()) == []


def test_programs_below_the_hidden_home_are_found(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (base / ".rustup").mkdir()
    monkeypatch.setenv("HOME", str(base))
    monkeypatch.delenv("RUSTUP_HOME", raising=False)

    found = environment(Path("/box"))

    assert (found["HOME"], found["RUSTUP_HOME"]) == ("/box/home", str(base / ".rustup"))
    assert "VOLTA_HOME" not in found


@pytest.mark.skipif(os.getuid() == 0, reason="needs a user to whom something is closed")
def test_a_home_that_may_not_be_looked_into_hides_nothing(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = base / "closed"
    closed.mkdir(mode=0)
    monkeypatch.setenv("HOME", str(closed / "home"))

    assert environment(Path("/box"))["HOME"] == "/box/home"


def test_a_place_that_vanishes_while_it_is_taken_is_not_taken(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = base / "0"
    place.mkdir()
    held = os.open(place, os.O_RDONLY)
    place.rmdir()

    assert not slots._is_still(place, held)
    os.close(held)
    monkeypatch.setattr(Path, "mkdir", lambda *_, **__: None)
    assert slots._try_slot(place) is None


def test_a_directory_of_a_stranger_is_not_used(base: Path) -> None:
    elsewhere = base / "elsewhere"
    elsewhere.mkdir()
    (base / f"racehound-{os.getuid()}").symlink_to(elsewhere)

    with Sandbox() as box:
        assert elsewhere not in box.root.parents
        assert box.root.resolve() == box.root
    assert list(elsewhere.iterdir()) == []


def start_owner(base: Path) -> tuple[subprocess.Popen[str], int]:
    """A process with a command under way in its sandbox, and the keeper of that."""
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(base)], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    keeper = int(owner.stdout.readline())
    watch = select.poll()
    while not list(base.glob("racehound-*/*/box/work/begun")):
        watch.poll(10)
    return owner, keeper


def handles(process: int) -> list[int]:
    """None of what has ended by itself meanwhile, like a program that the command ran."""
    try:
        return [os.pidfd_open(process)]
    except ProcessLookupError:
        return []


def ends_in_time(process: int) -> bool:
    """Whether the process behind the descriptor ends: the kernel takes a moment for those that were killed."""
    poll = select.poll()
    poll.register(process, select.POLLIN)
    try:
        return bool(poll.poll(30_000))
    finally:
        os.close(process)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_when_the_owner_is_ended(base: Path, number: signal.Signals) -> None:
    owner, keeper = start_owner(base)
    started = procfs.descendants(keeper)
    ends = [os.pidfd_open(keeper), *(end for process in started for end in handles(process))]
    assert len(ends) > 1

    owner.send_signal(number)
    owner.communicate()

    assert all(map(ends_in_time, ends))
    assert list(base.glob("racehound-*/*")) == []


@pytest.mark.slow
def test_a_keeper_that_was_killed_is_an_error_and_its_place_is_removed(base: Path) -> None:
    with Sandbox() as box:
        os.kill(box.keeping.process, signal.SIGKILL)

        with pytest.raises(HarnessError, match="has ended"):
            observe(Command(("true",)), box, timeout=20)
    assert list(base.iterdir()) == []


@pytest.mark.parametrize("argv", [("no-such-command",), ("./missing",), ("/",)])
def test_a_command_that_cannot_be_started_is_an_error(each_sandbox: Sandbox, argv: tuple[str, ...]) -> None:
    with pytest.raises(HarnessError):
        observe(Command(argv), each_sandbox, timeout=20)


def test_a_sandbox_exists_only_inside_its_block() -> None:
    with pytest.raises(AssertionError):
        _ = Sandbox().root
    with pytest.raises(AssertionError):
        _ = Sandbox().keeping
