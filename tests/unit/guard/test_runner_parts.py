"""Standard input, output and signals of a command that may run twice."""

import os
import pty
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from racehound.guard.cancelled import Cancelled
from racehound.guard.runner import signals as signals_module
from racehound.guard.runner.child import Child, CommandNotStarted
from racehound.guard.runner.relay import HOLD_BYTES, STDERR, STDOUT, DescriptorSink, Relay, pump
from racehound.guard.runner.session_handover import session_variables
from racehound.guard.runner.signals import SignalRelay, _is_in_foreground
from racehound.guard.runner.stdin import watch_stdin


class ListSink:
    def __init__(self, written: list[tuple[int, bytes]], stream: int) -> None:
        self._written = written
        self._stream = stream

    def write(self, data: bytes) -> None:
        self._written.append((self._stream, data))


@pytest.fixture
def written() -> list[tuple[int, bytes]]:
    return []


@pytest.fixture
def relay(written: list[tuple[int, bytes]]) -> Relay:
    return Relay([ListSink(written, STDOUT), ListSink(written, STDERR)])


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    for descriptor in (reader, writer):
        try:
            os.close(descriptor)
        except OSError:
            continue


def test_file_is_read_again_from_where_the_first_start_began(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text("skipped read")
    with path.open("rb") as file:
        os.lseek(file.fileno(), 8, os.SEEK_SET)
        stdin = watch_stdin(file.fileno())
        os.read(file.fileno(), 100)

        assert stdin.obstacle() is None
        assert os.read(file.fileno(), 100) == b"read"


def test_null_device_is_no_obstacle() -> None:
    with Path(os.devnull).open("rb") as null:
        assert watch_stdin(null.fileno()).obstacle() is None


def test_missing_standard_input_is_no_obstacle(pipe: tuple[int, int]) -> None:
    os.close(pipe[0])

    assert watch_stdin(pipe[0]).obstacle() is None


def test_idle_pipe_is_no_obstacle(pipe: tuple[int, int]) -> None:
    assert watch_stdin(pipe[0]).obstacle() is None


def test_pipe_at_its_end_is_no_obstacle(pipe: tuple[int, int]) -> None:
    os.close(pipe[1])

    assert watch_stdin(pipe[0]).obstacle() is None


def test_pipe_with_data_is_an_obstacle_as_some_may_be_gone(pipe: tuple[int, int]) -> None:
    os.write(pipe[1], b"data")
    stdin = watch_stdin(pipe[0])
    os.read(pipe[0], 4)

    assert "pipe" in (stdin.obstacle() or "")


def test_pipe_that_came_to_its_end_meanwhile_is_an_obstacle(pipe: tuple[int, int]) -> None:
    stdin = watch_stdin(pipe[0])
    os.write(pipe[1], b"data")
    os.close(pipe[1])
    os.read(pipe[0], 4)

    assert stdin.obstacle() is not None


def test_socket_counts_as_a_pipe() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        stdin = watch_stdin(ours.fileno())
        theirs.sendall(b"data")

        assert stdin.obstacle() is not None


def test_output_is_held_back_until_delivered(relay: Relay, written: list[tuple[int, bytes]]) -> None:
    relay.take(STDOUT, b"a")
    relay.take(STDERR, b"b")
    relay.take(STDOUT, b"c")
    assert written == []
    assert (relay.content(STDOUT), relay.content(STDERR)) == (b"ac", b"b")

    relay.deliver()

    assert written == [(STDOUT, b"a"), (STDERR, b"b"), (STDOUT, b"c")]


def test_long_output_is_passed_on_as_it_comes(relay: Relay, written: list[tuple[int, bytes]]) -> None:
    relay.take(STDOUT, b"x" * HOLD_BYTES)
    assert not relay.is_delivered

    relay.take(STDERR, b"y")
    relay.take(STDOUT, b"z")

    assert relay.is_delivered
    assert written == [(STDOUT, b"x" * HOLD_BYTES), (STDERR, b"y"), (STDOUT, b"z")]


def test_output_without_sinks_is_kept_however_long() -> None:
    relay = Relay(None)
    relay.take(STDOUT, b"x" * HOLD_BYTES * 2)
    relay.deliver()

    assert len(relay.content(STDOUT)) == HOLD_BYTES * 2
    assert not relay.is_delivered


def test_reader_that_is_gone_is_no_error_at_the_end(pipe: tuple[int, int]) -> None:
    relay = Relay([DescriptorSink(pipe[1]), DescriptorSink(pipe[1])])
    relay.take(STDOUT, b"x")
    os.close(pipe[0])

    relay.deliver()

    assert relay.is_delivered


@pytest.fixture
def never_ready() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


def test_command_is_told_when_nobody_reads_us_any_more(
    pipe: tuple[int, int], never_ready: tuple[int, int]
) -> None:
    reader, writer = os.pipe()
    quiet, _ = never_ready
    os.close(pipe[0])
    sink = DescriptorSink(pipe[1])
    with os.fdopen(reader, "rb", buffering=0) as source:
        os.write(writer, b"x" * (HOLD_BYTES // 2))
        relay = Relay([sink, sink])
        thread = threading.Thread(target=pump, args=(source, STDOUT, relay, quiet))
        thread.start()
        with pytest.raises(BrokenPipeError):
            write_for_ever(writer)
        thread.join()
    os.close(writer)


def write_for_ever(descriptor: int) -> None:
    while True:
        os.write(descriptor, b"x" * 4096)


def test_killed_command_ends_with_128_and_the_signal() -> None:
    child = Child(["sh", "-c", "kill -9 $$"], os.environ, SignalRelay())

    assert child.run(Relay(None)) == 137


def test_background_process_of_the_command_does_not_keep_us_waiting() -> None:
    relay = Relay(None)
    child = Child(["sh", "-c", "sleep 30 & echo $!"], os.environ, SignalRelay())

    assert child.run(relay) == 0

    os.kill(int(relay.content(STDOUT)), signal.SIGKILL)


@pytest.mark.parametrize(("program", "status"), [("no-such-program", 127), ("/etc/passwd", 126)])
def test_program_that_cannot_be_started_ends_as_in_a_shell(program: str, status: int) -> None:
    with pytest.raises(CommandNotStarted, match=program) as caught:
        Child([program], os.environ, SignalRelay()).run(Relay(None))

    assert caught.value.exit_status == status


def test_signal_without_a_command_is_an_exception_and_the_old_handler_comes_back() -> None:
    before = signal.getsignal(signal.SIGTERM)

    with pytest.raises(Cancelled) as caught, SignalRelay():
        os.kill(os.getpid(), signal.SIGTERM)

    assert caught.value.exit_status == 143
    assert signal.getsignal(signal.SIGTERM) is before


def test_signal_that_comes_while_the_command_starts_reaches_it() -> None:
    with SignalRelay() as relay:
        relay.starting()
        os.kill(os.getpid(), signal.SIGUSR1)
        command = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
        relay.started(command)

        assert command.wait() == -signal.SIGUSR1
        relay.ended()
    assert relay.received == [signal.SIGUSR1]


def test_signals_stay_as_they_are_in_other_threads() -> None:
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def enter() -> None:
        with SignalRelay():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()

    assert seen == [before]


@pytest.mark.parametrize(("in_foreground", "status"), [(True, 7), (False, -signal.SIGINT)])
def test_interrupt_from_the_keyboard_is_not_sent_twice(
    monkeypatch: pytest.MonkeyPatch, in_foreground: bool, status: int
) -> None:
    monkeypatch.setattr(signals_module, "_is_in_foreground", lambda: in_foreground)
    with SignalRelay() as relay:
        relay.starting()
        command = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdin.read(); sys.exit(7)"],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        relay.started(command)
        os.kill(os.getpid(), signal.SIGINT)
        assert command.stdin is not None
        command.stdin.close()

        assert command.wait() == status


def test_foreground_is_told_by_the_terminal() -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os._exit(42 if _is_in_foreground() else 1)
    os.set_blocking(terminal, True)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)

    assert os.waitstatus_to_exitcode(status) == 42


def test_process_without_a_terminal_is_not_in_the_foreground() -> None:
    code = "from racehound.guard.runner.signals import _is_in_foreground as f; raise SystemExit(f())"
    done = subprocess.run([sys.executable, "-c", code], start_new_session=True, check=False)

    assert done.returncode == 0


def test_session_is_handed_over_under_both_names() -> None:
    assert session_variables(["/usr/bin/my-tool"], "s1") == {"TOOL_SESSION_ID": "s1", "MY_TOOL_SESSION_ID": "s1"}


def test_program_whose_name_cannot_be_a_variable_gets_the_general_one() -> None:
    assert session_variables(["a=b"], "s1") == {"TOOL_SESSION_ID": "s1"}
