"""Commands that do not behave: whatever they do, they are seen, ended, and nothing is left of them."""

import os
import platform
import shutil
import signal
from pathlib import Path

import pytest

from drivers.tools import python
from racehound.errors import HarnessError
from racehound.processes.calls import Point
from racehound.processes.command import Command
from racehound.processes.limits import LEFT_ASLEEP
from racehound.processes.output import KEPT
from racehound.processes.run import FileCall, Run, crash_after, execute, in_turn, interleave, observe, signal_at
from racehound.processes.sandbox import Sandbox

DAEMON = """
import os, signal, sys
if os.fork():
    os._exit(0)
os.setsid()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
if os.fork():
    os._exit(0)
os.closerange(0, 4096)
os.close(os.open('late', os.O_CREAT | os.O_WRONLY))
signal.pause()
"""

MANY = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setpgid(0, 0)
time.sleep(1000)
"""


SERVER = """
import os, socket
server = socket.socket(socket.AF_UNIX)
server.bind("socket")
server.listen()
if os.fork():
    os._exit(0)
asked, _ = server.accept()
os.mkdir("served")
asked.send(b"done")
"""
CLIENT = """
import os, socket
os.mkdir("begun")
client = socket.socket(socket.AF_UNIX)
client.connect("socket")
print(client.recv(9).decode())
"""


LATE = """
import os, time
if os.fork():
    os._exit(0)
os.setsid()
os.mkdir('early')
time.sleep({0})
os.mkdir('late')
"""

LOCKED = """
import fcntl, os
if os.fork():
    os._exit(0)
os.setsid()
lock = open('lock', 'w')
fcntl.flock(lock, fcntl.LOCK_EX)
os.mkdir('{0}')
"""

ORPHAN = """
import os
end, held = os.pipe()
if os.fork():
    os._exit(0)
os.close(held)
os.setsid()
os.mkdir('early')
os.read(end, 1)
os.mkdir('late')
"""
"""Goes on when its parent has ended, which closes the other end of the pipe."""


def paths(run: Run, name: str) -> list[str]:
    return [call.path for call in run.calls if call.name == name]


def call_on(run: Run, path: str) -> FileCall:
    return next(call for call in run.calls if call.path == path)


def test_a_daemon_is_followed_and_ended(each_sandbox: Sandbox) -> None:
    run = observe(python(DAEMON), each_sandbox, timeout=30)

    assert (run.status, run.ended, run.left_behind) == (0, True, 1)
    assert call_on(run, "work/late").process == 2


def test_a_daemon_counts_for_the_command_that_left_it(sandbox: Sandbox) -> None:
    first = Command(("sh", "-c", "echo one >> state"))

    both = interleave(first, python(DAEMON), sandbox, Point("write", "work/state"), timeout=30)

    assert (both.first.status, both.second.status) == (0, 0)
    assert (both.first.left_behind, both.second.left_behind) == (0, 1)


@pytest.mark.measured_children
def test_a_server_that_a_command_leaves_behind_serves_the_other(each_sandbox: Sandbox) -> None:
    both = interleave(python(CLIENT), python(SERVER), each_sandbox, Point("mkdir", "work/begun"), timeout=30)

    assert (both.first.status, both.first.stdout, both.second.status) == (0, b"done\n", 0)
    assert (each_sandbox.work / "served").is_dir()


def test_what_a_command_leaves_behind_is_alive_when_the_next_one_runs(each_sandbox: Sandbox) -> None:
    first = Command(("sh", "-c", "sleep 1000 >&- 2>&- & echo $! > pid"))
    second = Command(("sh", "-c", "kill -0 $(cat pid)"))

    runs = in_turn(first, second, each_sandbox, timeout=30)

    assert [(run.status, run.left_behind) for run in runs] == [(0, 1), (0, 0)]


def test_work_in_the_background_that_waits_for_the_other_is_done_afterwards(each_sandbox: Sandbox) -> None:
    """The process that was started has ended in both; the children are at work, and one holds the other's lock."""
    one, other = python(LOCKED.format("one")), python(LOCKED.format("other"))

    both = interleave(one, other, each_sandbox, Point("mkdir", "work/one"), timeout=30)

    made = [step.call.path for step in both.steps if step.call.name == "mkdir"]
    assert made == ["work/one", "work/other"]
    assert (both.reached, both.second_waited) == (True, False)
    assert (both.first.left_behind, both.second.left_behind) == (0, 0)


def test_a_command_that_closes_all_descriptors_is_still_seen(each_sandbox: Sandbox) -> None:
    code = "import os\nos.closerange(0, 4096)\nos.mkdir('made')"

    run = observe(python(code), each_sandbox, timeout=30)

    assert run.status == 0
    assert paths(run, "mkdir") == ["work/made"]


@pytest.mark.slow
def test_a_command_that_never_ends_is_ended_with_everything_it_started(each_sandbox: Sandbox) -> None:
    run = observe(python(MANY), each_sandbox, timeout=1)

    assert (run.status, run.signal, run.ended) == (None, 9, False)
    assert run.why == "did not end within 1 s"


@pytest.mark.slow
def test_a_command_that_goes_on_forking_is_ended(sandbox: Sandbox) -> None:
    code = """
import os, time
for _ in range(100):
    if os.fork() == 0:
        time.sleep(0.2)
        os.fork()
        time.sleep(1000)
"""
    run = observe(python(code), sandbox, timeout=30)

    assert run.status == 0
    assert run.left_behind > 0


def test_a_command_that_prints_without_end_does_not_fill_the_memory(sandbox: Sandbox) -> None:
    run = execute(Command(("yes",)), sandbox, timeout=0.3)

    assert not run.ended
    assert len(run.stdout) <= KEPT
    assert run.limits == ("printed more than is kept",)


def test_a_command_that_stops_itself_is_ended(sandbox: Sandbox) -> None:
    run = observe(Command(("sh", "-c", "kill -STOP $$")), sandbox, timeout=0.3)

    assert not run.ended


def test_a_command_that_crashes_says_by_which_signal(each_sandbox: Sandbox) -> None:
    run = observe(Command(("sh", "-c", "kill -SEGV $$")), each_sandbox, timeout=30)

    assert (run.status, run.signal, run.ended) == (None, 11, True)


def test_what_runs_in_the_background_is_waited_for_while_it_works(sandbox: Sandbox) -> None:
    run = observe(Command.parse("(echo late > state) & exit 5"), sandbox, timeout=30)

    assert (run.status, run.left_behind) == (5, 0)
    assert (sandbox.work / "state").read_text() == "late\n"


def test_children_and_threads_are_numbered_as_they_appear(each_sandbox: Sandbox) -> None:
    code = """
import os, threading
open('parent', 'w').close()
thread = threading.Thread(target=lambda: open('thread', 'w').close())
thread.start()
thread.join()
if os.fork() == 0:
    open('child', 'w').close()
    os._exit(0)
os.wait()
"""
    run = observe(python(code), each_sandbox, timeout=30)

    assert [call_on(run, f"work/{name}").process for name in ("parent", "thread", "child")] == [1, 1, 2]


def test_what_a_command_does_after_a_nap_is_seen_when_it_has_ended(sandbox: Sandbox) -> None:
    run = observe(python(LATE.format(0.2)), sandbox, timeout=30)

    assert (paths(run, "mkdir"), run.left_behind, run.limits) == (["work/early", "work/late"], 0, ())


def test_what_a_shell_in_the_background_does_after_a_nap_of_its_child_is_seen(sandbox: Sandbox) -> None:
    run = observe(Command(("sh", "-c", "(sleep 0.2; mkdir late) >&- & mkdir early")), sandbox, timeout=30)

    assert (sorted(paths(run, "mkdir")), run.limits) == (["work/early", "work/late"], ())


def test_what_sleeps_for_longer_than_a_moment_is_not_waited_for(sandbox: Sandbox) -> None:
    run = observe(python(LATE.format(1000)), sandbox, timeout=300)

    assert (paths(run, "mkdir"), run.left_behind, run.limits) == (["work/early"], 1, (LEFT_ASLEEP,))


def test_a_signal_reaches_nobody_where_all_went_to_another_group(sandbox: Sandbox) -> None:
    run = signal_at(python(ORPHAN), sandbox, Point("mkdir", "work/late"), signal.SIGTERM, timeout=30)

    assert (run.status, paths(run, "mkdir")) == (0, ["work/early", "work/late"])


def test_a_write_outside_the_sandbox_is_seen(each_sandbox: Sandbox) -> None:
    place = each_sandbox.slot.directory / "file"

    run = observe(Command(("sh", "-c", f"echo gone > {place}")), each_sandbox, timeout=30)

    assert [(call.name, call.outside) for call in run.calls if call.path == str(place)] == [
        ("open-truncate", True),
        ("write", True),
    ]


def test_io_uring_is_refused_and_noted(each_sandbox: Sandbox) -> None:
    code = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
assert libc.syscall(425, 8, None) == -1
assert ctypes.get_errno() == errno.ENOSYS, ctypes.get_errno()
"""
    run = observe(python(code), each_sandbox, timeout=30)

    assert (run.status, run.stderr) == (0, b"")
    assert any("io_uring" in limit for limit in run.limits)


def test_a_file_that_is_written_through_memory_is_noted(each_sandbox: Sandbox) -> None:
    (each_sandbox.work / "mapped").write_bytes(bytes(4096))
    code = "import mmap\nfile = open('mapped', 'r+b')\nmmap.mmap(file.fileno(), 0)[0] = 1"

    run = observe(python(code), each_sandbox, timeout=30)

    assert paths(run, "mmap") == ["work/mapped"]
    assert any("memory" in limit for limit in run.limits)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="needs an architecture with a second set of numbers")
def test_calls_of_another_architecture_are_noted(each_sandbox: Sandbox) -> None:
    code = "import ctypes\nctypes.CDLL(None).syscall(0x40000000 | 39)"

    run = observe(python(code), each_sandbox, timeout=30)

    assert run.status == 0
    assert any("another architecture" in limit for limit in run.limits)


def test_a_program_that_would_gain_privileges_is_noted(sandbox: Sandbox, tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copy("/bin/true", program)
    program.chmod(0o4755)

    run = observe(Command(("sh", "-c", f"{program}; true")), sandbox, timeout=30)

    assert run.limits == (f"{program} was started without the privileges that it gains from its owner",)


@pytest.mark.parametrize(
    "afterwards",
    [
        "while True: pass",
        "import select; select.select([], [], [], 1000)",
        "import os; os._exit(0)",
        "import subprocess; subprocess.run(['sleep', '600'])",
    ],
)
def test_a_crash_comes_whatever_the_command_does_after_the_call(each_sandbox: Sandbox, afterwards: str) -> None:
    code = f"import os\nos.mkdir('made')\n{afterwards}"

    run = crash_after(python(code), each_sandbox, Point("mkdir", "work/made"), timeout=30)

    assert (run.signal, run.why) == (9, "killed after mkdir work/made #1")
    assert (each_sandbox.work / "made").is_dir()


def test_a_command_that_ends_before_the_point_is_not_killed(sandbox: Sandbox) -> None:
    run = crash_after(Command(("true",)), sandbox, Point("mkdir", "work/made"), timeout=30)

    assert (run.status, run.ended) == (0, True)


def test_a_command_that_is_killed_while_it_is_stopped_has_ended(each_sandbox: Sandbox) -> None:
    first = Command(("sh", "-c", "echo $$ > pid; echo one >> state"))
    second = Command(("sh", "-c", "kill -KILL $(cat pid); echo two >> state"))

    both = interleave(first, second, each_sandbox, Point("open-append", "work/state"), timeout=30)

    assert (both.first.signal, both.first.ended, both.second.status) == (9, True, 0)
    assert (each_sandbox.work / "state").read_text() == "two\n"


DEEP = """
import os
for _ in range({depth}):
    os.mkdir("{name}")
    os.chdir("{name}")
os.chmod(".", 0)
"""


@pytest.mark.parametrize(("depth", "name"), [(30, "d" * 200), (1500, "d")], ids=["long", "deep"])
def test_a_tree_deeper_than_any_path_is_removed(sandbox: Sandbox, depth: int, name: str) -> None:
    assert execute(python(DEEP.format(depth=depth, name=name)), sandbox, timeout=30).status == 0
    sandbox.restore()

    assert list(sandbox.work.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("chattr"), reason="needs root and chattr")
def test_no_command_can_forbid_that_its_files_are_changed(sandbox: Sandbox) -> None:
    run = execute(Command(("sh", "-c", "echo 1 > file; chattr +i file || chattr +a file")), sandbox, timeout=30)
    assert run.status != 0
    sandbox.restore()

    assert list(sandbox.work.iterdir()) == []


def test_a_command_whose_directory_was_taken_away_cannot_be_started(each_sandbox: Sandbox) -> None:
    execute(Command(("sh", "-c", "cd ..; rmdir work")), each_sandbox, timeout=30)

    with pytest.raises(HarnessError, match="took the directory away"):
        observe(Command(("true",)), each_sandbox, timeout=30)
    each_sandbox.restore()
