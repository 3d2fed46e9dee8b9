"""The keeper, and what becomes of it when something goes wrong."""

import errno
import os
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from racehound.errors import HarnessError, InternalError
from racehound.processes import keeping, procfs, stage, starter, sweeping
from racehound.processes.actor import MOST_CALLS, Actor
from racehound.processes.backend import NAMES
from racehound.processes.calls import Detail, Point
from racehound.processes.command import Command
from racehound.processes.kernel import prctl, ptrace
from racehound.processes.launch import Launch
from racehound.processes.ledger import Ledger
from racehound.processes.notify import Listeners, NotifyObserver
from racehound.processes.plan import Plan
from racehound.processes.reading import Seen, Trap
from racehound.processes.run import execute, observe, signal_at
from racehound.processes.sandbox import Sandbox
from racehound.processes.slots import base_directory, take_slot
from racehound.processes.traced import TracedObserver
from racehound.processes.traps import Wanted
from racehound.processes.unobserved import Unobserved

GONE = 2**22 + 1
"""No process has a number this high."""
NOTHING = Launch(argv=("true",), variables="", directory="/")
TRAP = Trap(thread=1, number=0, architecture=0, arguments=(0,) * 6)


@pytest.mark.slow
def test_a_keeper_that_does_not_end_is_killed(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "CLOSING_SECONDS", 0.05)
    with Sandbox() as box:
        os.kill(box.keeping.process, signal.SIGSTOP)
    assert list(base.iterdir()) == []


@pytest.mark.parametrize("backend", NAMES)
def test_a_command_does_not_outlive_a_keeper_that_is_killed(base: Path, backend: str) -> None:
    with Sandbox(backend=backend) as box:
        os.mkfifo(box.work / "told")
        said = os.open(box.work / "told", os.O_RDWR)
        command, keeper = Command(("sh", "-c", "echo $$ > told; sleep 600")), box.keeping.process
        with ThreadPoolExecutor() as pool:
            asked = pool.submit(observe, command, box, timeout=60)
            shell = int(os.read(said, 100))
            os.kill(keeper, signal.SIGKILL)
            with pytest.raises(HarnessError, match="has ended"):
                asked.result()
    state = procfs.state_of(shell)
    assert state is None or state.letter == "Z"
    assert list(base.iterdir()) == []
    os.close(said)


def test_what_a_killed_owner_left_running_is_ended_by_the_next(base: Path) -> None:
    box = base_directory() / "0" / "box"
    box.mkdir(parents=True)
    left = subprocess.Popen(["/bin/sleep", "600"], env={"HOME": f"{box}/home"})

    slot = take_slot()

    assert left.wait() == -signal.SIGKILL
    slot.release()
    assert list(base.iterdir()) == []


def test_a_process_that_is_just_being_replaced_is_looked_at_again(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = [False, True, False]
    killed: list[int] = []
    monkeypatch.setattr(sweeping, "_processes", lambda: [GONE])
    monkeypatch.setattr(sweeping, "_is_being_replaced", lambda _: len(looks) == 3)
    monkeypatch.setattr(sweeping, "_carries", lambda *_: looks.pop(0))
    monkeypatch.setattr(sweeping, "_kill", killed.append)

    sweeping.sweep(base)

    assert (killed, looks) == ([GONE], [])


def test_a_process_that_never_shows_anything_of_itself_is_given_up(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "SETTLING_SECONDS", 0.02)
    monkeypatch.setattr(sweeping, "SECONDS", 600)
    monkeypatch.setattr(sweeping, "_processes", lambda: [os.getpid()])
    monkeypatch.setattr(sweeping, "_is_being_replaced", lambda _: True)

    sweeping.sweep(base)


def test_only_a_program_without_arguments_and_variables_is_being_replaced() -> None:
    assert not sweeping._is_being_replaced(os.getpid())
    assert not sweeping._is_being_replaced(GONE)


def test_what_does_not_go_away_is_not_waited_for_without_end(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "SECONDS", 0.05)
    monkeypatch.setattr(sweeping, "_carries", lambda *_: True)
    monkeypatch.setattr(sweeping, "_processes", lambda: [GONE])

    sweeping.sweep(base)


@pytest.mark.measured_children
def test_a_defect_of_the_keeper_is_told_as_one_and_it_goes_on(sandbox: Sandbox) -> None:
    unknown = "none"
    with pytest.raises(InternalError, match="Traceback"):
        sandbox.perform(Plan(launches=(NOTHING,), timeout=10, detail=unknown))  # type: ignore[arg-type] # no detail
    with pytest.raises(InternalError, match="TypeError"):
        sandbox.keeping._ask("a word")  # type: ignore[union-attr,arg-type] # nothing that can be asked

    assert execute(Command(("true",)), sandbox, timeout=10).status == 0


@pytest.mark.measured_children
def test_a_signal_reaches_a_command_at_a_point(each_sandbox: Sandbox) -> None:
    script = "trap 'echo caught; exit 7' TERM; echo one > state; echo two > state"

    run = signal_at(
        Command(("sh", "-c", script)), each_sandbox, Point("write", "work/state"), signal.SIGTERM, timeout=30
    )

    assert (run.status, run.stdout) == (7, b"caught\n")


def test_a_command_without_end_of_calls_is_listed_up_to_a_limit() -> None:
    actor = Actor(NOTHING)
    call = actor.count(os.getpid(), Seen("write", "work/state", "", outside=False, mutating=True))
    actor.calls = [call] * MOST_CALLS

    ledger = Ledger([actor])
    ledger.enter(0, call)
    ledger.returned(os.getpid(), 0)

    assert ledger.entries == []
    assert any("not listed" in limit for limit in actor.limits)


def test_a_command_that_was_not_started_has_no_process() -> None:
    actor = Actor(NOTHING)

    assert actor.alive() == []
    assert actor.close().why == "was not started"
    with pytest.raises(AssertionError):
        _ = actor.process


def test_nothing_is_asked_of_who_does_not_observe() -> None:
    unobserved = Unobserved()

    with pytest.raises(AssertionError):
        unobserved.receive(0)
    with pytest.raises(AssertionError):
        unobserved.let(0, TRAP, tell=False)
    with pytest.raises(AssertionError):
        unobserved.refuse(0, TRAP, errno.ENOSYS)
    with pytest.raises(AssertionError):
        TracedObserver(Wanted(Detail.OPENS), lambda *_: True, filtered=False).receive(0)


def test_errors_of_the_kernel_are_told() -> None:
    with pytest.raises(OSError, match="prctl 9999"):
        prctl(9999, 0)
    with pytest.raises(ProcessLookupError, match="ptrace"):
        ptrace(7, GONE)


def test_a_thread_that_is_gone_cannot_be_let_go() -> None:
    observer = TracedObserver(Wanted(Detail.OPENS), lambda *_: True, filtered=False)
    observer._actors[GONE] = 0

    assert not observer.let(0, TRAP._replace(thread=GONE), tell=True)
    assert observer.changed(GONE, signal.SIGUSR1 << 8 | 0x7F, 0.0) is None


def test_a_notification_that_was_withdrawn_is_no_event(monkeypatch: pytest.MonkeyPatch) -> None:
    observer = NotifyObserver(Listeners(), (Wanted(Detail.OPENS),), lambda *_: True)
    ours, theirs = os.pipe()
    observer._used[0] = ours
    with pytest.raises(OSError, match="ioctl"):
        observer.receive(0)
    with pytest.raises(OSError, match="ioctl"):
        observer.let(0, TRAP, tell=False)

    monkeypatch.setattr("fcntl.ioctl", withdraw)

    assert observer.receive(0) is None
    assert not observer.let(0, TRAP, tell=False)
    os.close(ours)
    os.close(theirs)


def withdraw(*_: object) -> None:
    raise FileNotFoundError(errno.ENOENT, "withdrawn")


def test_what_is_gone_tells_nothing() -> None:
    assert procfs.process_of(GONE) == GONE
    assert procfs.state_of(GONE) is None
    assert procfs.descendants(GONE) == []
    assert list(procfs.links(GONE)) == []
    assert procfs._text("/proc/self/mem") == ""
    stage._kill(GONE)
    sweeping._kill(GONE)


def test_a_library_that_is_nowhere_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starter, "address_of_library", lambda: 0)

    with pytest.raises(OSError, match="C library"):
        starter.own_library()
