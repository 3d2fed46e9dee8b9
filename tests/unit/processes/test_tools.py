"""Tools that people use, under observation."""

import shutil
import sys
from pathlib import Path

import pytest

from drivers.tools import python
from racehound.processes.calls import Detail, Point
from racehound.processes.command import Command
from racehound.processes.run import Run, crash_after, execute, interleave, observe
from racehound.processes.sandbox import Sandbox

NEEDS_GIT = pytest.mark.skipif(not shutil.which("git"), reason="needs git")
NEEDS_SQLITE = pytest.mark.skipif(not shutil.which("sqlite3"), reason="needs the shell of SQLite")


def printed(sandbox: Sandbox, text: str) -> list[str]:
    return execute(Command.parse(text), sandbox, timeout=30).stdout.decode().split()


def points(run: Run, path: str) -> list[Point]:
    return [call.point for call in run.calls if call.path == path and call.mutating]


@NEEDS_GIT
class TestGitConfig:
    ONE, TWO = (Command(("git", "config", "--global", f"{key}.x", "1")) for key in ("one", "two"))
    STATE = "git config --global --list"

    def test_a_call_between_lock_and_rename_is_refused(self, each_sandbox: Sandbox) -> None:
        both = interleave(self.ONE, self.TWO, each_sandbox, Point("rename", "home/.gitconfig"), timeout=30)

        assert both.reached
        assert (both.first.status, both.second.status) == (0, 255)
        assert b"could not lock" in both.second.stderr
        assert printed(each_sandbox, self.STATE) == ["one.x=1"]

    def test_a_crash_leaves_the_lock_behind(self, each_sandbox: Sandbox) -> None:
        run = crash_after(self.ONE, each_sandbox, Point("open-exclusive", "home/.gitconfig.lock"), timeout=30)

        assert run.signal == 9
        assert (each_sandbox.home / ".gitconfig.lock").exists()
        assert not (each_sandbox.home / ".gitconfig").exists()

    def test_results_are_told_where_they_are_seen(self, each_sandbox: Sandbox) -> None:
        run = observe(self.ONE, each_sandbox, timeout=30)
        results = {call.result for call in run.calls if call.name == "rename"}

        seen = {"seccomp-notify": {None}, "ptrace-seccomp": {0}, "ptrace": {0}}
        assert results in seen.values()


@NEEDS_SQLITE
def test_a_database_refuses_the_second_writer(sandbox: Sandbox) -> None:
    execute(Command(("sqlite3", "a.db", "create table t(k)")), sandbox, timeout=30)
    sandbox.keep_as_golden()
    one, two = (Command(("sqlite3", "a.db", f"insert into t values('{key}')")) for key in ("one", "two"))
    writes = points(observe(one, sandbox, timeout=30), "work/a.db")
    sandbox.restore()

    both = interleave(one, two, sandbox, writes[-1], timeout=30)

    assert (both.first.status, both.second.status) == (0, 5)
    assert printed(sandbox, "sqlite3 a.db 'select k from t'") == ["one"]


@pytest.mark.slow
def test_pip_loses_a_setting(sandbox: Sandbox) -> None:
    pip = (sys.executable, "-m", "pip", "config", "--user", "set")
    one, two = Command((*pip, "one.x", "1")), Command((*pip, "two.x", "1"))
    config = "xdg/config/pip/pip.conf"

    both = interleave(one, two, sandbox, Point("open-truncate", config), timeout=60)

    assert both.reached
    assert (both.first.status, both.second.status) == (0, 0)
    assert "two" not in (sandbox.root / config).read_text()


def test_lines_appended_by_a_shell_are_all_kept(sandbox: Sandbox) -> None:
    one, two = Command.parse("echo one >> state"), Command.parse("echo two >> state")

    both = interleave(one, two, sandbox, Point("write", "work/state"), timeout=30)

    assert [(step.actor, step.call.name) for step in both.steps if step.call.path == "work/state"] == [
        ("first", "open-append"),
        ("second", "open-append"),
        ("second", "write"),
        ("first", "write"),
    ]
    assert (sandbox.work / "state").read_text() == "two\none\n"


def test_stops_can_alternate(each_sandbox: Sandbox) -> None:
    code = """
import os, sys
for number in range(3):
    with open('state', 'a') as state:
        state.write(f'{sys.argv[1]}{number} ')
"""
    point = "write", "work/state"
    then = (Point(*point, 2), Point(*point, 3))

    both = interleave(python(code, "a"), python(code, "b"), each_sandbox, Point(*point, 2), timeout=30, then=then)

    assert both.left_out == ()
    assert (each_sandbox.work / "state").read_text().split() == ["a0", "b0", "a1", "b1", "b2", "a2"]
    assert [(step.actor, step.call.occurrence) for step in both.steps if step.stopped] == [
        ("first", 2),
        ("second", 2),
        ("first", 3),
    ]


def test_a_point_that_is_not_reached_is_told(sandbox: Sandbox) -> None:
    one, two = Command.parse("echo one >> state"), Command.parse("echo two >> state")

    both = interleave(one, two, sandbox, Point("rename", "work/state"), timeout=30)

    assert not both.reached
    assert both.left_out == ("rename work/state #1",)
    assert (sandbox.work / "state").read_text() == "one\ntwo\n"


def test_a_stop_for_a_command_that_has_ended_is_passed(sandbox: Sandbox) -> None:
    one, two = Command.parse("echo one >> state; echo three >> state"), Command.parse("echo two >> state")
    then = (Point("rename", "work/state"), Point("write", "work/state", 2))

    both = interleave(one, two, sandbox, Point("write", "work/state"), timeout=30, then=then)

    assert both.left_out == ("rename work/state #1",)
    assert (sandbox.work / "state").read_text().split() == ["two", "one", "three"]


def test_a_look_at_a_name_can_be_a_point(each_sandbox: Sandbox) -> None:
    code = "import os, sys\nprint(os.path.exists('flag'))\nopen('flag', 'x')"
    one, two = python(code), python(code)

    both = interleave(one, two, each_sandbox, Point("stat", "work/flag"), timeout=30)

    assert both.reached
    assert (both.first.stdout, both.second.stdout) == (b"True\n", b"False\n")


def test_reads_are_listed_on_demand(each_sandbox: Sandbox) -> None:
    (each_sandbox.work / "state").write_text("text")
    code = "import os\nopen('state').read(); os.listdir('.'); os.access('state', 4)"

    run = observe(python(code), each_sandbox, timeout=30, detail=Detail.ALL)

    kinds = {call.name for call in run.calls if call.path.startswith("work")}
    assert {"open-read", "read", "getdents", "access"} <= kinds


@pytest.mark.slow
def test_many_runs_leave_no_descriptor_and_no_memory(sandbox: Sandbox) -> None:
    one, two = Command.parse("echo one >> state"), Command.parse("echo two >> state")
    keeper = Path("/proc") / str(sandbox.keeping.process)

    def again(count: int) -> tuple[int, int]:
        for _ in range(count):
            interleave(one, two, sandbox, Point("write", "work/state"), timeout=30)
        return len(list((keeper / "fd").iterdir())), int((keeper / "statm").read_text().split()[1])

    descriptors, pages = again(50)
    descriptors_later, pages_later = again(50)

    assert descriptors_later == descriptors
    assert pages_later - pages < 128
