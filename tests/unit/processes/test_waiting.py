"""A command that waits for the other is recognised from what the kernel says of it."""

import signal
import time
from textwrap import dedent

import pytest

from drivers.tools import (
    ADD,
    ADD_UNDER_FLOCK,
    ADD_UNDER_LOCK_FILE,
    ADD_UNDER_MKDIR,
    ADD_UNDER_RECORD_LOCK,
    ADD_WHEN_NO_LOCK_FILE_IS_SEEN,
    REFUSE_WHEN_LOCKED,
    python,
)
from racehound.processes.calls import Point
from racehound.processes.command import Command
from racehound.processes.limits import DEADLOCK
from racehound.processes.plan import Patience
from racehound.processes.run import Interleaving, interleave, keep_waiting, probe, signal_waiting
from racehound.processes.sandbox import Sandbox

EMPTIES = Point("open-truncate", "work/state")
WAITING = {
    "flock": ADD_UNDER_FLOCK,
    "record lock": ADD_UNDER_RECORD_LOCK,
    "lock file": ADD_UNDER_LOCK_FILE,
    "look before": ADD_WHEN_NO_LOCK_FILE_IS_SEEN,
}


def prepare(sandbox: Sandbox) -> None:
    (sandbox.work / "state").write_text("base\n")


def words(sandbox: Sandbox) -> list[str]:
    return (sandbox.work / "state").read_text().split()


def run_pair(sandbox: Sandbox, code: str) -> Interleaving:
    prepare(sandbox)
    return interleave(python(code, "one"), python(code, "two"), sandbox, EMPTIES, timeout=30)


@pytest.mark.measured_children
@pytest.mark.slow
@pytest.mark.parametrize("kind", WAITING)
def test_a_command_that_waits_lets_the_first_go_on(each_sandbox: Sandbox, kind: str) -> None:
    both = run_pair(each_sandbox, WAITING[kind])

    assert both.second_waited
    assert (both.first.status, both.second.status) == (0, 0)
    assert words(each_sandbox) == ["base", "one", "two"]


@pytest.mark.slow
def test_a_loop_of_processes_that_sleep_is_waiting(sandbox: Sandbox) -> None:
    prepare(sandbox)
    first, second = (Command(("sh", "-c", ADD_UNDER_MKDIR.replace("{}", word))) for word in ("one", "two"))

    both = interleave(first, second, sandbox, EMPTIES, timeout=30)

    assert both.second_waited
    assert words(sandbox) == ["base", "one", "two"]


@pytest.mark.slow
def test_a_command_that_sleeps_once_does_not_wait(each_sandbox: Sandbox) -> None:
    prepare(each_sandbox)
    slow = Command.parse("sleep 0.3; echo two >> state")

    both = interleave(python(ADD, "one"), slow, each_sandbox, EMPTIES, timeout=30)

    assert not both.second_waited
    assert words(each_sandbox) == ["base", "one"]


@pytest.mark.slow
def test_a_command_that_computes_does_not_wait(sandbox: Sandbox) -> None:
    prepare(sandbox)
    busy = "sum(range(10_000_000))\nopen('state', 'a').write('two\\n')"

    both = interleave(python(ADD, "one"), python(busy), sandbox, EMPTIES, timeout=30)

    assert not both.second_waited
    assert words(sandbox) == ["base", "one"]


@pytest.mark.slow
@pytest.mark.measured_children
@pytest.mark.parametrize("spin", ["python", "shell"])
def test_a_loop_without_sleeps_waits(sandbox: Sandbox, spin: str) -> None:
    prepare(sandbox)
    first = python("open('state', 'w').write('one')\nopen('done', 'w').close()")
    loops = {
        "python": python("import os\nwhile not os.path.exists('done'): pass"),
        "shell": Command(("sh", "-c", "until ls done 2> /dev/null; do :; done")),
    }

    both = probe(first, loops[spin], sandbox, (EMPTIES,), patience=Patience(30.0, spin=0.3))

    assert both.second_waited
    assert (both.first.status, both.second.status) == (0, 0)


@pytest.mark.slow
def test_a_loop_without_sleeps_is_signalled_after_as_much_work_as_was_said(sandbox: Sandbox) -> None:
    first, second = python("open('state', 'w').write('one')"), python("while True: pass")

    both = signal_waiting(first, second, sandbox, EMPTIES, signal.SIGTERM, patience=Patience(30.0, spin=0.3))

    assert both.second.signal == signal.SIGTERM
    assert both.second.cpu < Patience(30.0).spin


@pytest.mark.slow
def test_a_lock_that_is_not_given_back_shows_the_time_limit_of_the_other(sandbox: Sandbox) -> None:
    prepare(sandbox)
    first, second = python(REFUSE_WHEN_LOCKED, "one"), python(REFUSE_WHEN_LOCKED, "two")

    both = keep_waiting(first, second, sandbox, EMPTIES, patience=Patience(30), hold=20)

    assert both.second_waited
    assert (both.first.status, both.second.status) == (0, 4)
    assert words(sandbox) == ["base", "one"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_can_be_signalled_while_it_waits(sandbox: Sandbox, number: signal.Signals) -> None:
    prepare(sandbox)
    first, second = python(ADD_UNDER_FLOCK, "one"), python(ADD_UNDER_FLOCK, "two")

    both = signal_waiting(first, second, sandbox, EMPTIES, number, patience=Patience(30))

    assert both.second_waited
    assert both.second.signal == number
    assert both.first.status == 0
    assert words(sandbox) == ["base", "one"]


@pytest.mark.slow
def test_two_commands_that_wait_for_each_other_are_ended(sandbox: Sandbox) -> None:
    code = """
import fcntl, sys
for name in sys.argv[1:]:
    lock = open(name, 'a')
    fcntl.flock(lock, fcntl.LOCK_EX)
    kept = locals().setdefault('kept', [])
    kept.append(lock)
"""
    first, second = python(code, "left", "right"), python(code, "right", "left")

    both = interleave(first, second, sandbox, Point("open-append", "work/right"), timeout=1.5)

    assert both.reached
    assert both.second_waited
    assert [both.first.ended, both.second.ended] == [False, False]
    assert "1.5 s" in both.first.why


@pytest.mark.slow
def test_a_command_waits_for_the_answer_of_a_server_that_is_stopped(sandbox: Sandbox) -> None:
    serve = """
        import socket
        server = socket.socket(socket.AF_UNIX)
        server.bind("s")
        server.listen()
        open("state", "w").close()
        server.accept()[0].sendall(b"answer")
    """
    ask = "import socket\nclient = socket.socket(socket.AF_UNIX)\nclient.connect('s')\nprint(client.recv(10))"

    both = interleave(python(dedent(serve)), python(ask), sandbox, EMPTIES, timeout=30)

    assert both.second_waited
    assert (both.first.status, both.second.status, both.second.stdout) == (0, 0, b"b'answer'\n")


BOTH_LOCKS = """
import fcntl, sys
files = [open(name, "a") for name in sys.argv[1]]
for file in files:
    fcntl.flock(file, fcntl.LOCK_EX)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("order", "deadlocked"), [("ba", True), ("ab", False)])
def test_two_that_hold_what_the_other_one_needs_are_ended_before_their_time(
    sandbox: Sandbox, order: str, deadlocked: bool
) -> None:
    begun = time.monotonic()
    stopped = Point("flock", "work/b")
    both = interleave(python(BOTH_LOCKS, "ab"), python(BOTH_LOCKS, order), sandbox, stopped, timeout=120)

    assert both.second_waited
    assert [both.first.ended, both.second.ended] == [not deadlocked] * 2
    assert both.first.why == (DEADLOCK if deadlocked else "")
    assert time.monotonic() - begun < 60
