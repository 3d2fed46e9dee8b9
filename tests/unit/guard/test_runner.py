import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from racehound.guard import Lock, LockHeld
from racehound.guard.cancelled import Cancelled
from racehound.guard.runner import Runner
from racehound.guard.runner.nesting import is_held_above, marked

# Refuses as often as its first argument says, then prints its session and succeeds.
TOOL = """
import json, os, pathlib, sys
refusals, counter, error = int(sys.argv[1]), pathlib.Path(sys.argv[2]), json.loads(sys.argv[3])
done = int(counter.read_text()) if counter.exists() else 0
counter.write_text(str(done + 1))
if done < refusals:
    print(json.dumps({"ok": False, "data": None, "error": error, "warnings": [], "meta": {"duration_ms": 1}}))
    print("refused", file=sys.stderr)
    sys.exit(4)
print(os.environ["TOOL_SESSION_ID"], *sys.argv[4:])
"""
HELD = {"code": "LOCK_HELD", "message": "m", "retryable": True, "retry_after_ms": 40}


def no_pause(seconds: float) -> None:
    pytest.fail(f"waited {seconds} s for a repetition")


class Sink:
    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data


@pytest.fixture(autouse=True)
def _own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACEHOUND_LOCK_DIR", str(tmp_path / "locks"))


@pytest.fixture
def tool(tmp_path: Path) -> Callable[..., list[str]]:
    def argv(refusals: int, error: object = HELD) -> list[str]:
        return [sys.executable, "-c", TOOL, str(refusals), str(tmp_path / "counter"), json.dumps(error)]

    return argv


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def sinks() -> tuple[Sink, Sink]:
    return Sink(), Sink()


def test_refused_command_is_run_again_and_only_the_last_attempt_is_heard(
    tool: Callable[..., list[str]], pauses: list[float], sinks: tuple[Sink, Sink]
) -> None:
    run = Runner(pause=pauses.append, session_id="s1").run(tool(2), sinks=sinks)

    assert run.exit_status == 0
    assert [sink.data for sink in sinks] == [b"s1\n", b""]
    assert [attempt.exit_status for attempt in run.attempts] == [4, 4, 0]
    assert all(0.04 <= pause <= 0.044 for pause in pauses)
    assert [attempt.waited_ms for attempt in run.attempts] == [*(round(p * 1000) for p in pauses), None]


def test_retries_are_bounded_and_the_last_refusal_is_passed_on(
    tool: Callable[..., list[str]], pauses: list[float], sinks: tuple[Sink, Sink]
) -> None:
    run = Runner(pause=pauses.append, retries=2).run(tool(9), sinks=sinks)

    assert (run.exit_status, len(run.attempts), len(pauses)) == (4, 3, 2)
    assert json.loads(sinks[0].data)["error"] == HELD
    assert sinks[1].data == b"refused\n"
    assert run.not_retried == "the limit of 2 retries is reached"


def test_other_failures_are_not_repeated(tool: Callable[..., list[str]]) -> None:
    run = Runner(pause=no_pause).run(tool(1, {"code": "NOT_FOUND", "message": "m"}))

    assert (run.exit_status, len(run.attempts), run.not_retried) == (4, 1, None)


def test_refusal_behind_a_long_output_is_not_repeated(sinks: tuple[Sink, Sink]) -> None:
    code = f"import sys; print('x' * 70000); print({json.dumps(json.dumps({'error': HELD}))}); sys.exit(4)"
    run = Runner(pause=no_pause).run([sys.executable, "-c", code], sinks=sinks)

    assert len(sinks[0].data) > 70000
    assert len(run.attempts) == 1


def test_refusal_is_final_once_output_was_passed_on(sinks: tuple[Sink, Sink]) -> None:
    envelope = json.dumps({"error": HELD})
    code = f"import sys; sys.stderr.write('x' * 70000); sys.stderr.flush(); print({envelope!r}); sys.exit(4)"
    run = Runner(pause=no_pause).run([sys.executable, "-c", code], sinks=sinks)

    assert len(run.attempts) == 1
    assert sinks[0].data.decode().strip() == envelope


def test_each_call_has_a_session_of_its_own(tool: Callable[..., list[str]]) -> None:
    runs = [Runner().run(tool(0)) for _ in range(2)]

    assert [run.stdout.decode().split() for run in runs] == [[run.session_id] for run in runs]
    assert runs[0].session_id != runs[1].session_id


def test_session_can_be_passed_as_an_option_too(tool: Callable[..., list[str]]) -> None:
    run = Runner(session_id="s1", session_flag="--session-id").run(tool(0))

    assert run.stdout == b"s1 --session-id s1\n"


def test_attached_command_writes_to_our_own_output(
    tool: Callable[..., list[str]], capfd: pytest.CaptureFixture[str]
) -> None:
    run = Runner(session_id="s1").run_attached(tool(0))

    assert (run.exit_status, capfd.readouterr().out) == (0, "s1\n")


def test_lock_that_is_not_free_in_time_is_an_error(tool: Callable[..., list[str]]) -> None:
    code = (
        "from racehound.guard import Lock; import sys\nwith Lock('x'): print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"

    with pytest.raises(LockHeld) as caught:
        Runner(lock="x", lock_timeout=0).run(tool(0))

    assert caught.value.holder.pid == holder.pid
    holder.communicate()


@pytest.mark.slow
def test_commands_of_one_lock_never_overlap(tmp_path: Path) -> None:
    alone = "import os, sys; os.close(os.open(sys.argv[1], os.O_CREAT | os.O_EXCL)); os.unlink(sys.argv[1])"
    code = f"""
from racehound.guard.runner import Runner
import sys
statuses = [Runner(lock="one").run([sys.executable, "-c", {alone!r}, {str(tmp_path / "alone")!r}]).exit_status
            for _ in range(3)]
sys.exit(any(statuses))
"""
    processes = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]

    assert [process.wait() for process in processes] == [0, 0, 0]


def test_default_lock_of_a_program_with_a_long_name_is_a_name_for_a_lock(tmp_path: Path) -> None:
    program = tmp_path / ("x" * 200)
    program.symlink_to("/bin/true")

    assert Runner().run([str(program)]).exit_status == 0


def test_default_lock_is_the_program(tool: Callable[..., list[str]]) -> None:
    run = Runner().run(["sh", "-c", "exit 3"])

    assert (run.lock, run.exit_status) == ("run-sh", 3)


def test_command_may_run_commands_under_its_own_lock() -> None:
    code = (
        "import sys; from racehound.guard.runner import Runner; "
        "sys.exit(Runner(lock='x', lock_timeout=0).run([sys.executable, '-c', 'exit(5)']).exit_status)"
    )
    run = Runner(lock="x").run([sys.executable, "-c", code])

    assert run.exit_status == 5


def test_mark_of_an_ended_runner_does_not_count(tmp_path: Path) -> None:
    lock = Lock("x", timeout=0)
    mark = marked({}, lock, os.getpid())

    assert not is_held_above({}, lock)
    assert not is_held_above(mark, lock)
    with lock:
        assert is_held_above(mark, lock)
        assert is_held_above(marked(mark, Lock("y"), 1), lock)
        assert not is_held_above(marked({}, lock, 1), lock)
    assert not is_held_above(mark, lock)


def test_signal_in_the_wait_ends_it_and_the_refusal_is_heard(
    tool: Callable[..., list[str]], sinks: tuple[Sink, Sink]
) -> None:
    def interrupt(seconds: float) -> None:
        del seconds
        os.kill(os.getpid(), signal.SIGTERM)

    with pytest.raises(Cancelled) as caught:
        Runner(pause=interrupt).run(tool(9), sinks=sinks)

    assert caught.value.exit_status == 143
    assert b"LOCK_HELD" in sinks[0].data


def test_command_that_was_sent_a_signal_is_not_run_again(tmp_path: Path) -> None:
    envelope = json.dumps({"error": HELD})
    code = f"""
import os, signal, sys
def refuse(*_):
    print({envelope!r}, flush=True)
    os._exit(4)
signal.signal(signal.SIGTERM, refuse)
os.kill(os.getppid(), signal.SIGTERM)
while True: signal.pause()
"""
    run = Runner(pause=no_pause).run([sys.executable, "-c", code])

    assert (run.exit_status, run.not_retried) == (4, "a signal asked the command to end")


def test_envelope_of_a_success_has_output_and_attempts(tool: Callable[..., list[str]]) -> None:
    envelope = Runner(pause=lambda _: None, session_id="s1").run(tool(1)).envelope()

    assert envelope["ok"] is True
    assert envelope["data"] == {"exit_status": 0, "stdout": "s1\n", "stderr": ""}
    assert envelope["error"] is None
    attempts = envelope["meta"]["attempts"]  # type: ignore[index]
    assert [attempt["code"] for attempt in attempts] == ["LOCK_HELD", None]


def test_envelope_of_a_failure_carries_the_hint(tool: Callable[..., list[str]]) -> None:
    error = Runner(retries=0).run(tool(1)).envelope()["error"]

    assert isinstance(error, dict)
    assert (error["code"], error["retryable"], error["retry_after_ms"]) == ("LOCK_HELD", True, 40)
    assert error["exit_status"] == 4


def test_envelope_of_another_failure_is_final() -> None:
    error = Runner().run(["sh", "-c", "exit 3"]).envelope()["error"]

    assert isinstance(error, dict)
    assert (error["code"], error["retryable"]) == ("COMMAND_FAILED", False)
