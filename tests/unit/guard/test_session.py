from __future__ import annotations

import argparse
import os
import signal
import stat
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from drivers.envelopes import assert_is_failure_envelope
from drivers.lock_processes import child, directory_for_all, go_on, run, said
from racehound.guard import Session, SessionRefused, kernel, session_directory
from racehound.guard.session import default_base
from racehound.guard.session_id import resolve, tool_variable

OPEN = """
import sys
from racehound.guard import Session
session = Session("tool", sys.argv[2] if len(sys.argv) > 2 else None, base=sys.argv[1])
session.open("result.json").close()
print("ready", session.directory, flush=True)
sys.stdin.readline()
"""

HOSTILE = [
    *("../x", "", "x" * 10_000, "sessi\u00f6n", "a\0b", "a/b", "..", ".", ".hidden", "-rf", "a b", "a\nb"),
    *("/etc", "~", "a\\\\b"),
]


def mode_of(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)  # noqa: PTH116 - works for both kinds of path


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_ids_are_refused_with_a_clear_error(tmp_path: Path, hostile: str) -> None:
    with pytest.raises(SessionRefused, match="session id from --session-id is refused: it ") as caught:
        Session("tool", hostile, base=tmp_path)
    assert caught.value.exit_status == 2
    assert len(str(caught.value)) < 200
    assert_is_failure_envelope(caught.value.envelope())
    with pytest.raises(SessionRefused, match="from TOOL_SESSION_ID"):
        Session("tool", base=tmp_path, environment={"TOOL_SESSION_ID": hostile})
    with pytest.raises(SessionRefused, match="tool name"):
        Session(hostile, "id", base=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("hostile", ["../x", "a/../../x", "", "/etc/passwd", "a//b", ".in-use"])
def test_hostile_paths_are_refused(tmp_path: Path, hostile: str) -> None:
    with Session("tool", base=tmp_path) as session, pytest.raises(SessionRefused, match="temporary path"):
        session.path(hostile)


def test_id_comes_from_flag_then_own_variable_then_general_one_then_chance() -> None:
    environment = {"MY_TOOL_SESSION_ID": "own", "TOOL_SESSION_ID": "general"}
    assert tool_variable("my-tool") == "MY_TOOL_SESSION_ID"
    assert resolve("my-tool", "flag", environment) == "flag"
    assert resolve("my-tool", None, environment) == "own"
    assert resolve("other", None, environment) == "general"
    assert resolve("my-tool", None, {}) != resolve("my-tool", None, {})


def test_environment_of_the_process_is_asked_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_SESSION_ID", "from-outside")
    assert Session("tool", base=tmp_path).id == "from-outside"


def test_argparse_gets_the_flag() -> None:
    parser = argparse.ArgumentParser()
    Session.add_argument(parser, "tool")
    assert parser.parse_args(["--session-id", "a7"]).session_id == "a7"
    assert parser.parse_args([]).session_id is None


def test_directory_and_files_are_for_the_user_alone_whatever_the_umask(tmp_path: Path) -> None:
    for umask in (0, 0o777):
        old = os.umask(umask)
        try:
            with Session("tool", base=tmp_path / f"base{umask}") as session:
                with session.open("deep/er/file.txt") as file:
                    file.write("x")
                with session.open("raw.bin", "wb") as raw:
                    raw.write(b"x")
                modes = [mode_of(session.path(name)) for name in ("deep/er/file.txt", "raw.bin")]
                directories = [
                    mode_of(path)
                    for path in (session._base, session.directory, str(Path(session.path("deep/er/x")).parent))
                ]
        finally:
            os.umask(old)
        assert modes == [0o600, 0o600]
        assert directories == [0o700] * 3


def test_directory_appears_late_and_goes_with_the_session(tmp_path: Path) -> None:
    session = Session("tool", "a", base=tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert session.meta == {"session_id": "a", "session_tmp_dir": str(tmp_path / "a")}
    assert (tmp_path / "a").is_dir()
    session.open("x").close()
    session.close()
    session.close()

    assert list(tmp_path.iterdir()) == []
    assert repr(session) == "Session('tool', 'a')"


def test_kept_directory_stays_and_is_not_pruned(tmp_path: Path) -> None:
    with Session("tool", "a", base=tmp_path, keep=True) as session:
        session.open("result").close()
    with Session("tool", "b", base=tmp_path) as other:
        assert other.directory
    assert (tmp_path / "a" / "result").exists()


def test_two_sessions_never_share_a_path(tmp_path: Path) -> None:
    sessions = [Session("tool", base=tmp_path) for _ in range(20)]
    paths = {session.path("result.json") for session in sessions}
    for session in sessions:
        session.close()

    assert len(paths) == 20


def test_directory_stays_until_the_last_process_of_the_session_leaves(tmp_path: Path) -> None:
    with child(OPEN, tmp_path, "shared") as other:
        assert said(other) == ["ready", str(tmp_path / "shared")]
        with Session("tool", "shared", base=tmp_path) as session:
            assert Path(session.path("result.json")).exists()
        assert (tmp_path / "shared" / "result.json").exists()
        go_on(other)
        other.wait()
    assert list(tmp_path.iterdir()) == []


def test_directory_is_cleaned_at_exit(tmp_path: Path) -> None:
    with child(OPEN, tmp_path) as other:
        _, directory = said(other)
        assert Path(directory).exists()
        go_on(other)
        assert other.wait() == 0
    assert list(tmp_path.iterdir()) == []


def test_next_session_removes_what_a_killed_one_left_but_not_what_is_in_use(tmp_path: Path) -> None:
    with child(OPEN, tmp_path, "dead") as dead, child(OPEN, tmp_path, "alive") as alive:
        said(dead)
        said(alive)
        dead.send_signal(signal.SIGKILL)
        dead.wait()
        (tmp_path / "a-file").touch()
        with Session("tool", "new", base=tmp_path) as session:
            assert session.directory
            assert sorted(entry.name for entry in tmp_path.iterdir()) == ["a-file", "alive", "new"]


def test_forked_child_does_not_end_the_session_of_its_parent(tmp_path: Path) -> None:
    code = """
import os, sys
from racehound.guard import Session
session = Session("tool", "x", base=sys.argv[1])
session.open("kept").close()
pid = os.fork()
if pid:
    os.waitpid(pid, 0)
    print(os.path.exists(session.path("kept")))
"""
    result = run(code, tmp_path)
    assert result.stdout == "True\n", result.stderr
    assert list(tmp_path.iterdir()) == []


def test_base_that_belongs_to_another_user_is_refused() -> None:
    code = """
import os, sys
from racehound.guard import Session, SessionRefused
session = Session("tool", base=sys.argv[1])
from racehound.guard import session_directory, errors
if os.geteuid() == 0:
    os.setuid(65534)
else:
    session = Session("tool", base="/")
try:
    session.directory
except SessionRefused as refused:
    print(refused)
    sys.exit(refused.exit_status)
"""
    with directory_for_all() as base:
        result = run(code, base)
    assert (result.returncode, "another user" in result.stdout) == (7, True), result


def test_directory_of_another_user_is_refused_before_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(SessionRefused, match="belongs to another user"):
        _ = Session("tool", base=tmp_path).directory


def test_base_that_is_no_directory_or_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path)
    for base in ("file", "link"):
        with pytest.raises(SessionRefused, match="not a directory"):
            _ = Session("tool", base=tmp_path / base).directory
    with pytest.raises(SessionRefused, match="No such file"):
        _ = Session("tool", base=tmp_path / "none" / "base").directory


@pytest.mark.parametrize(("before", "after"), [(0o755, 0o755), (0o777, 0o755), (0o775, 0o755), (0o1777, 0o1777)])
def test_base_of_the_caller_keeps_its_permissions_but_those_of_others_to_exchange_what_is_in_it(
    tmp_path: Path, before: int, after: int
) -> None:
    base = tmp_path / "base"
    base.mkdir()
    base.chmod(before)
    with Session("tool", base=base) as session:
        assert mode_of(session.directory) == 0o700
        assert mode_of(str(base)) == after


def test_open_default_base_is_closed_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    base = Path(default_base("tool"))
    base.mkdir(mode=0o755)
    with Session("tool") as session:
        assert session.directory
        assert mode_of(str(base)) == 0o700


def test_base_may_hold_other_directories_which_no_session_removes(tmp_path: Path) -> None:
    (tmp_path / "documents" / "deep").mkdir(parents=True)
    (tmp_path / "documents" / "letter").write_text("dear")
    (tmp_path / "empty").mkdir()
    with Session("tool", base=tmp_path) as session:
        assert session.directory
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "documents", "empty", "letter"]


def test_directory_that_no_session_made_is_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "letter").write_text("dear")
    with pytest.raises(SessionRefused, match="no session made"):
        _ = Session("tool", "documents", base=tmp_path).directory
    assert (tmp_path / "documents" / "letter").exists()


def test_what_died_between_two_steps_is_removed(tmp_path: Path) -> None:
    (tmp_path / "run-0123456789abcdef").mkdir()
    (tmp_path / "a.89abcdef.gone" / "deep").mkdir(parents=True)
    (tmp_path / "run-fedcba9876543210").mkdir()
    (tmp_path / "run-fedcba9876543210" / "not-ours").touch()
    with Session("tool", "new", base=tmp_path) as session:
        assert session.directory
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["new", "run-fedcba9876543210"]


def test_default_base_is_per_tool_and_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert default_base("tool") == str(tmp_path / f"tool-{os.geteuid()}")
    assert Session("tool", "a").path("x") == str(tmp_path / f"tool-{os.geteuid()}" / "a" / "x")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    assert default_base("tool").startswith("/tmp/")
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/elsewhere")
    assert default_base("tool").startswith("/elsewhere/")


def test_join_makes_the_directory_again_if_it_is_removed_at_that_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = str(tmp_path / "x")
    honest_make, honest_share = session_directory.make_private, kernel.try_share
    removals = iter(["before", "after", "none"])

    def make(path: str) -> None:
        honest_make(path)
        if next(removals) == "before":
            os.rmdir(path)  # noqa: PTH106 - a text

    def share(fd: int) -> bool:
        if not renamed:
            renamed.append(True)
            os.rename(directory, directory + ".gone")  # noqa: PTH104 - a text
        return honest_share(fd)

    renamed: list[bool] = []
    monkeypatch.setattr(session_directory, "make_private", make)
    monkeypatch.setattr(kernel, "try_share", share)
    fd = session_directory.join(directory)

    assert session_directory._is_in(directory, fd)
    session_directory.leave(directory, fd, keep=False)


@pytest.mark.parametrize("step", ["chmod", "lstat"])
def test_join_starts_over_if_the_directory_is_pruned_between_two_steps_of_making_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    directory = tmp_path / "x"
    if step == "lstat":
        directory.mkdir(0o700)
    honest = getattr(os, step)
    pruned: list[str] = []

    def prune_first(path: str, *arguments: int, **options: Any) -> object:
        if path == str(directory) and not pruned:
            pruned.append(step)
            directory.rmdir()
        return honest(path, *arguments, **options)

    monkeypatch.setattr(os, step, prune_first)
    fd = session_directory.join(str(directory))

    assert pruned == [step]
    assert session_directory._is_in(str(directory), fd)
    session_directory.leave(str(directory), fd, keep=False)


@pytest.mark.slow
def test_sessions_that_come_and_go_do_not_disturb_each_other(tmp_path: Path) -> None:
    code = """
import sys
from racehound.guard import Session
for _ in range(100):
    with Session("tool", base=sys.argv[1]) as session, session.open("deep/file") as file:
        file.write("x")
"""
    with ExitStack() as processes:
        others = [processes.enter_context(child(code, tmp_path)) for _ in range(4)]

        assert [other.wait() for other in others] == [0] * 4
    assert list(tmp_path.iterdir()) == []
