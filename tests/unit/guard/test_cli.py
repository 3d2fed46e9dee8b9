"""A tool with the flags of guard, whichever library parses them."""

import argparse
import json
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

import pytest

from racehound.guard import GuardError, LockHeld
from racehound.guard.cancelled import Cancelled
from racehound.guard.cli import Call, Flags, Tool
from racehound.guard.cli.cancellation import cancellable
from servers import wait_until

ARGPARSE = """
import argparse, sys
from racehound.guard.cli import Tool
from work import work
tool = Tool("demo")
parser = argparse.ArgumentParser()
parser.add_argument("what")
tool.add_flags(parser)
arguments = parser.parse_args()
sys.exit(tool.run(arguments, lambda call: work(call, arguments.what)))
"""
CLICK = """
import click
from racehound.guard.cli import Tool
from work import work
@click.command()
@click.argument("what")
@Tool("demo").click
def main(call, what):
    if what == "usage":
        raise click.UsageError("not like this")
    return work(call, what)
main()
"""
TYPER = """
import typer
from racehound.guard.cli import Call, Tool
from work import work
app = typer.Typer()
@app.command()
@Tool("demo").typer
def main(call: Call, what: str):
    if what == "usage":
        raise typer.BadParameter("not like this")
    return work(call, what)
app()
"""
WORK = """
import signal, sys
from racehound.guard import GuardError
def work(call, what):
    call.warn("careful")
    match what:
        case "set": call.config("c.json").set("a.b", 1)
        case "get": return call.config("c.json").get("a.b")
        case "temp": return call.temporary_path("x")
        case "fail": raise GuardError("not there", code="NOT_FOUND", exit_status=5)
        case "bug": return 1 / 0
        case "nan": return float("nan")
        case "keys": return {(1, 2): 3}
        case "hold":
            with call.lock("work"):
                print("held", file=sys.stderr, flush=True)
                sys.stdin.read()
        case "take":
            with call.lock("work"): return "taken"
"""
PROGRAMS = {"argparse": ARGPARSE, "click": CLICK, "typer": TYPER}


class Program:
    def __init__(self, directory: Path, code: str) -> None:
        self.home = directory / "home"
        self.home.mkdir()
        (directory / "work.py").write_text(WORK)
        self._path = directory / "main.py"
        self._path.write_text(code)
        self._environment = {**os.environ, "HOME": str(self.home), "TMPDIR": str(directory)}

    def start(
        self,
        *arguments: str,
        stdout: int | IO[str] = subprocess.PIPE,
        variables: Mapping[str, str] = MappingProxyType({}),
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(self._path), *arguments],
            env={**self._environment, **variables},
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **variables: str) -> tuple[int, dict[str, Any], str]:
        process = self.start(*arguments, variables=variables)
        stdout, stderr = process.communicate()
        return process.returncode, json.loads(stdout) if stdout else {}, stderr

    def hold(self, *arguments: str) -> subprocess.Popen[str]:
        process = self.start("hold", *arguments)
        assert process.stderr is not None
        assert process.stderr.readline() == "held\n"
        return process


@pytest.fixture(params=list(PROGRAMS))
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Program:
    if request.param == "typer":
        pytest.importorskip("typer", reason="typer is not installed")
    return Program(tmp_path, PROGRAMS[request.param])


@pytest.fixture
def simple(tmp_path: Path) -> Program:
    return Program(tmp_path, ARGPARSE)


@pytest.mark.measured_children
def test_success_is_an_envelope(program: Program) -> None:
    assert program.run("set")[0] == 0
    status, answer, _ = program.run("get", "--session-id", "s1", "--instance-id", "i1")
    assert (status, answer["data"]) == (0, None)
    status, answer, stderr = program.run("get", "--session-id", "s1", "--json")

    assert (status, stderr) == (0, "")
    assert (answer["ok"], answer["data"], answer["error"]) == (True, 1, None)
    assert answer["warnings"] == ["careful"]
    assert isinstance(answer["meta"].pop("duration_ms"), int)
    assert answer["meta"]["session_id"] == "s1"


@pytest.mark.measured_children
def test_lock_held_is_exit_4_with_a_hint(program: Program) -> None:
    holder = program.hold()
    status, answer, _ = program.run("take", "--lock-timeout", "0.01")
    holder.communicate()

    assert status == 4
    assert answer["error"]["code"] == "LOCK_HELD"
    assert answer["error"]["retry_after_ms"] > 0
    assert f"holder_pid={holder.pid}" in answer["error"]["detail"]
    assert program.run("take")[1]["data"] == "taken"


@pytest.mark.measured_children
@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signal_is_answered_and_releases_the_lock(program: Program, number: signal.Signals, status: int) -> None:
    holder = program.hold()

    holder.send_signal(number)
    stdout, _ = holder.communicate()
    answer = json.loads(stdout)

    assert holder.returncode == status
    assert (answer["error"]["code"], answer["error"]["signal"]) == ("CANCELLED", number.name)
    assert answer["meta"]["partial"] is True
    assert set(answer) == {"ok", "data", "error", "warnings", "meta"}
    assert program.run("take", "--lock-timeout", "0")[0] == 0


def test_bad_usage_is_left_to_the_parser(program: Program) -> None:
    status, answer, stderr = program.run("take", "--lock-timeout", "-1")

    assert (status, answer) == (2, {})
    assert "--lock-timeout" in stderr


@pytest.mark.parametrize("text", ["nan", "-1", "soon"])
def test_argparse_says_what_a_timeout_may_be(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    Tool("demo").add_flags(parser)

    with pytest.raises(SystemExit):
        parser.parse_args([f"--lock-timeout={text}"])

    assert f"'{text}' does not do: give seconds from 0 on" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["click", "typer"])
def test_exceptions_of_the_framework_pass(tmp_path: Path, kind: str) -> None:
    pytest.importorskip(kind, reason=f"{kind} is not installed")
    status, answer, stderr = Program(tmp_path, PROGRAMS[kind]).run("usage")

    assert (status, answer) == (2, {})
    assert "not like this" in stderr


def test_text_is_for_people(program: Program) -> None:
    process = program.start("fail", "--no-json")
    stdout, stderr = process.communicate()

    assert (process.returncode, stdout) == (5, "")
    assert stderr.splitlines() == ["warning: careful", "error: not there [NOT_FOUND]"]


def test_own_error_keeps_code_and_exit_status(simple: Program) -> None:
    status, answer, _ = simple.run("fail")

    assert (status, answer["error"]["code"]) == (5, "NOT_FOUND")


def test_bug_is_answered_too_and_shown_on_stderr(simple: Program) -> None:
    status, answer, stderr = simple.run("bug")

    assert (status, answer["error"]["code"]) == (1, "GENERAL_ERROR")
    assert answer["error"]["message"] == "division by zero"
    assert "ZeroDivisionError" in stderr


def test_instances_do_not_share_locks_or_state(simple: Program) -> None:
    holder = simple.hold("--instance-id", "one")

    assert simple.run("take", "--lock-timeout", "0", "--instance-id", "two")[0] == 0
    assert simple.run("take", "--lock-timeout", "0", "--instance-id", "one")[0] == 4
    assert simple.run("take", "--lock-timeout", "0", DEMO_INSTANCE_ID="one")[0] == 4
    assert simple.run("take", "--lock-timeout", "0", TOOL_INSTANCE_ID="one")[0] == 4
    holder.communicate()
    simple.run("set", "--instance-id", "one")
    assert (simple.home / ".demo/instances/one/c.json").exists()
    assert stat.S_IMODE((simple.home / ".demo").stat().st_mode) == 0o700


@pytest.mark.parametrize("flag", ["--instance-id", "--session-id"])
def test_hostile_ids_are_refused(simple: Program, flag: str) -> None:
    status, answer, _ = simple.run("get", flag, "../x")

    assert status == 2
    assert "REFUSED" in answer["error"]["code"]


def test_sessions_never_share_a_temporary_path_and_named_ones_stay(simple: Program) -> None:
    answers = [simple.run("temp", *arguments)[1] for arguments in ([], [], ["--session-id", "s1"])]
    named_by_variable = simple.run("temp", TOOL_SESSION_ID="s2")[1]

    paths = [answer["data"] for answer in (*answers, named_by_variable)]
    directories = [Path(answer["meta"]["session_tmp_dir"]) for answer in (*answers, named_by_variable)]
    assert len(set(paths)) == 4
    assert [directory.exists() for directory in directories] == [False, False, True, True]
    assert all(Path(path).parent == directory for path, directory in zip(paths, directories, strict=True))


@pytest.mark.slow
def test_no_parallel_call_is_lost(tmp_path: Path) -> None:
    shelf = Path(__file__).parents[3] / "examples" / "tools" / "shelf.py"
    environment = {**os.environ, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    calls = [
        subprocess.Popen([sys.executable, shelf, "put", f"k{i}", "v"], env=environment, stdout=subprocess.DEVNULL)
        for i in range(6)
    ]

    assert [call.wait() for call in calls] == [0] * 6
    listing = subprocess.run([sys.executable, shelf, "list"], env=environment, capture_output=True, check=True)
    assert json.loads(listing.stdout)["data"] == {f"k{i}": "v" for i in range(6)}


def call(tmp_path: Path, **flags: Any) -> Call:
    environment = {"HOME": str(tmp_path)}
    return Call("demo", Flags(**flags), environment)


def test_force_unlock_respects_a_live_holder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with call(tmp_path).lock("x"):
        errors: list[LockHeld] = []

        def force() -> None:
            try:
                call(tmp_path, force_unlock=True).lock("x")
            except LockHeld as error:
                errors.append(error)

        thread = threading.Thread(target=force)
        thread.start()
        thread.join()

    assert errors[0].holder.pid == os.getpid()


@pytest.mark.skipif(not Path("/proc").exists(), reason="only /proc tells who inherited a lock")
def test_force_unlock_warns_of_children_that_inherited_the_lock(tmp_path: Path) -> None:
    code = """
import subprocess, sys
from racehound.guard.cli import Call, Flags
lock = Call("demo", Flags(), {"HOME": sys.argv[1]}).lock("x").acquire()
heir = subprocess.Popen(["sleep", "60"], pass_fds=[lock._share.file.fd], stdout=subprocess.DEVNULL)
print(heir.pid, flush=True)
sys.stdin.read()
"""
    holder = subprocess.Popen(
        [sys.executable, "-c", code, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    heir = int(holder.stdout.readline())
    holder.kill()
    holder.communicate()
    freeing = call(tmp_path, force_unlock=True, lock_timeout=0.0)

    with freeing.lock("x"):
        pass
    os.kill(heir, signal.SIGKILL)

    assert f"Process {heir} (sleep 60)" in freeing.warnings[0]


def run_here(tool: Tool, flags: Flags, work: Any, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = tool.run(flags, work)
    return status, capsys.readouterr().out


@pytest.mark.parametrize(("data", "text"), [("words", "words\n"), ({"a": 1}, '{\n  "a": 1\n}\n'), (None, "")])
def test_text_form_of_the_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: object, text: str
) -> None:
    tool = Tool("demo", environment={"HOME": str(tmp_path)})

    assert run_here(tool, Flags(json=False), lambda _: data, capsys) == (0, text)


def test_error_in_text_form_ends_with_the_suggestion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(call: Call) -> None:
        raise GuardError("no", suggestion="Do it otherwise")

    status = Tool("demo", environment={"HOME": str(tmp_path)}).run(Flags(json=False), fail)

    assert status == 1
    assert capsys.readouterr().err == "error: no [GUARD_ERROR]\nDo it otherwise\n"


def test_bug_without_words_is_called_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(call: Call) -> None:
        raise KeyError

    Tool("demo", environment={"HOME": str(tmp_path)}).run(argparse.Namespace(), fail)

    assert json.loads(capsys.readouterr().out)["error"]["message"] == "KeyError"


def test_second_signal_is_not_caught() -> None:
    before = signal.getsignal(signal.SIGTERM)

    def run() -> None:
        with cancellable():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                wait_until(lambda: False, what="the signal")
            finally:
                assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
                assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL

    with pytest.raises(Cancelled):
        run()

    assert signal.getsignal(signal.SIGTERM) is before


def test_signals_are_left_alone_outside_the_main_thread(tmp_path: Path) -> None:
    seen = []

    def run() -> None:
        with cancellable():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()

    assert seen == [signal.getsignal(signal.SIGTERM)]


def test_home_of_the_user_is_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert Call("demo", Flags(), {}).state_dir == tmp_path / ".demo"


@pytest.mark.parametrize("what", ["nan", "keys"])
def test_data_that_json_does_not_have_is_an_error_and_still_an_answer(simple: Program, what: str) -> None:
    status, answer, _ = simple.run(what)

    assert (status, answer["ok"], answer["error"]["code"]) == (1, False, "GENERAL_ERROR")


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_an_answer_that_cannot_be_written_is_said_in_one_line(simple: Program) -> None:
    with FULL.open("w") as full:
        process = simple.start("set", stdout=full)
        _, stderr = process.communicate()

    assert process.returncode == 1
    assert stderr == "error: cannot write the answer: No space left on device\n"


def test_a_reader_who_left_is_no_error(simple: Program) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = simple.start("set", stdout=writer)
    os.close(writer)
    _, stderr = process.communicate()

    assert (process.returncode, stderr) == (0, "")


def test_a_timeout_that_is_no_number_is_wrong_use(program: Program) -> None:
    status, answer, stderr = program.run("take", "--lock-timeout", "nan")

    assert status == 2
    assert (answer["error"]["code"] if answer else "usage") in {"ARG_ERROR", "usage"}
    assert "Traceback" not in stderr
