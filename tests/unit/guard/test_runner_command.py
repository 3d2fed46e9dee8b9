"""`racehound run`, as a shell would call it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from servers import wait_until

pytestmark = pytest.mark.measured_children

RUN = [sys.executable, "-c", "from racehound.cli.commands.run import command; command()"]


@pytest.fixture(autouse=True)
def _own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACEHOUND_LOCK_DIR", str(tmp_path / "locks"))


def racehound_run(*arguments: str, stdin: int = subprocess.DEVNULL) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*RUN, *arguments], capture_output=True, text=True, check=False, stdin=stdin)


@pytest.mark.parametrize("options", [[], ["--retries", "0"]])
def test_output_and_exit_status_pass_through(options: list[str]) -> None:
    done = racehound_run(*options, "--", "sh", "-c", "echo out; echo err >&2; exit 7")

    assert (done.returncode, done.stdout, done.stderr) == (7, "out\n", "err\n")


def test_json_has_the_attempts_and_the_exit_status_stays() -> None:
    done = racehound_run("--json", "--session-id", "s1", "--", "sh", "-c", "echo $TOOL_SESSION_ID; exit 3")
    answer = json.loads(done.stdout)

    assert done.returncode == 3
    assert (answer["error"]["stdout"], answer["meta"]["session_id"]) == ("s1\n", "s1")
    assert [attempt["exit_status"] for attempt in answer["meta"]["attempts"]] == [3]


def test_options_behind_the_command_belong_to_it() -> None:
    assert racehound_run("echo", "--json", "--lock").stdout == "--json --lock\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument"),
        (["--lock", "a b", "--", "true"], "--lock"),
        (["--lock-timeout", "nan", "--", "true"], "--lock-timeout"),
        (["--session-id", "../x", "--", "true"], "--session-id"),
        (["--retries", "-1", "--", "true"], "--retries"),
    ],
)
def test_bad_usage_is_exit_2_with_a_reason(arguments: list[str], message: str) -> None:
    done = racehound_run(*arguments)

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_unknown_program_is_exit_127_in_one_line() -> None:
    done = racehound_run("--", "no-such-program")

    assert done.returncode == 127
    assert done.stderr == "racehound: COMMAND_NOT_STARTED: no-such-program: No such file or directory\n"


def test_lock_may_be_a_path(tmp_path: Path) -> None:
    assert racehound_run("--lock", str(tmp_path / "my lock"), "--", "true").returncode == 0
    assert (tmp_path / "my lock").exists()


def fifo_command(fifo: Path, code: str) -> list[str]:
    """A command that says through the pipe that it runs, then waits for signals."""
    start = f"import os, signal, sys; {code}\nopen({str(fifo)!r}, 'w').close()\nwhile True: signal.pause()"
    return [sys.executable, "-c", start]


@pytest.mark.parametrize("options", [[], ["--retries", "0"]])
def test_signals_are_forwarded(tmp_path: Path, options: list[str]) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    command = fifo_command(fifo, "signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))")
    runner = subprocess.Popen([*RUN, *options, "--", *command])
    fifo.read_bytes()

    runner.send_signal(signal.SIGTERM)

    assert runner.wait() == 9


def test_lock_that_is_not_free_is_exit_4_with_an_envelope(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    holder = subprocess.Popen([*RUN, "--lock", "x", "--", *fifo_command(fifo, "")])
    fifo.read_bytes()

    plain = racehound_run("--lock", "x", "--lock-timeout", "0", "--", "true")
    answer = racehound_run("--lock", "x", "--lock-timeout", "0.01", "--json", "--", "true")
    holder.terminate()

    assert holder.wait() == 143
    assert (plain.returncode, answer.returncode) == (4, 4)
    assert plain.stderr.startswith("racehound: LOCK_HELD: ")
    error = json.loads(answer.stdout)["error"]
    assert error["code"] == "LOCK_HELD"
    assert f"holder_pid={holder.pid}" in error["detail"]
    assert error["retry_after_ms"] > 0


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only /proc/locks tells who waits for a lock")
def test_signal_in_the_wait_for_the_lock_ends_the_wait(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    holder = subprocess.Popen([*RUN, "--lock", "x", "--", *fifo_command(fifo, "")])
    fifo.read_bytes()
    waiter = subprocess.Popen([*RUN, "--lock", "x", "--json", "--", "true"], stdout=subprocess.PIPE)
    wait_until(lambda: is_waiting(waiter.pid), what="the second runner to wait for the lock")

    waiter.terminate()
    stdout, _ = waiter.communicate()
    holder.terminate()
    holder.wait()

    assert waiter.returncode == 143
    assert json.loads(stdout)["error"]["code"] == "CANCELLED"


def is_waiting(pid: int) -> bool:
    lines = (line.split() for line in Path("/proc/locks").read_text().splitlines())
    return any(line[1] == "->" and str(pid) in line for line in lines)


def test_reader_that_leaves_early_is_no_error() -> None:
    done = subprocess.run(
        ["sh", "-c", '"$@" | head -1', "sh", *RUN, "--", "sh", "-c", "yes | head -100000"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.stdout, done.stderr) == ("y\n", "")


def test_piped_input_is_never_read_twice(tmp_path: Path) -> None:
    refuse = 'import sys; sys.stdin.read(); print(\'{"error": {"code": "LOCK_HELD"}}\'); sys.exit(4)'
    done = subprocess.run(
        [*RUN, "--json", "--", sys.executable, "-c", refuse],
        input="data",
        capture_output=True,
        text=True,
        check=False,
    )
    meta = json.loads(done.stdout)["meta"]

    assert len(meta["attempts"]) == 1
    assert "pipe" in meta["not_retried"]


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--", "echo", "out"],
        ["--", "head", "-c", "70000", "/dev/zero"],  # more than is held back, and yet all in the pipe
        ["--json", "--", "echo", "out"],
        ["--json", "--", "/absent/program"],
    ],
    ids=" ".join,
)
def test_output_that_cannot_be_written_is_said_in_one_line(arguments: list[str]) -> None:
    command = [*RUN, *arguments]
    with FULL.open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr == "racehound: OUTPUT_LOST: Cannot pass the output on: No space left on device\n"


@pytest.mark.parametrize("options", ["", "--json"])
def test_closed_stdout_is_lost_output_and_no_file_is_written_in_its_place(tmp_path: Path, options: str) -> None:
    command = f'"$@" {options} -- echo out >&-'
    done = subprocess.run(["sh", "-c", command, "sh", *RUN], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert done.stderr == "racehound: OUTPUT_LOST: Cannot pass the output on: Bad file descriptor\n"
    assert not any(lock.read_bytes().startswith(b"out") for lock in (tmp_path / "locks").iterdir())


def test_a_command_that_exits_with_0_runs_once_whatever_it_prints() -> None:
    held = json.dumps({"ok": False, "error": {"code": "LOCK_HELD", "message": "m", "retry_after_ms": 1}})
    done = racehound_run("--json", "--", "echo", held)

    assert (done.returncode, len(json.loads(done.stdout)["meta"]["attempts"])) == (0, 1)
