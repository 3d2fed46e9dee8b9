"""Systems that deny some of what is needed: the next best way is taken, and the reason told.

A filter of our own denies it to a process that then opens a sandbox; nothing else can be told from such a system.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from racehound.processes.backend import NAMES, unsupported

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(unsupported()), reason="needs a system on which calls can be stopped"),
]
BEGIN = """
import ctypes, errno, json, sys, tempfile
tempfile.tempdir = sys.argv[1]
from racehound.errors import HarnessError
from racehound.processes.calls import Point
from racehound.processes.command import Command
from racehound.processes.conditions import AnyBit, OneOf
from racehound.processes.filters import assemble
from racehound.processes.kernel import SECCOMP, WAIT_KILLABLE, install_filter
from racehound.processes.notify import SET_FLAGS
from racehound.processes.run import execute, interleave, observe
from racehound.processes.sandbox import Sandbox
from racehound.processes.syscalls import AUDIT_ARCHITECTURE, machine
PTRACE = {"x86_64": 101, "aarch64": 117}[machine()]
def deny(calls, error):
    install_filter(assemble(AUDIT_ARCHITECTURE[machine()], calls, 0x00050000 | error), machine(), 0)
"""
BACKENDS = "with Sandbox() as box: print(json.dumps([[b.name, b.works, b.why_not] for b in box.backends()]))"


def run_where(denied: str, code: str, place: Path) -> object:
    """What `code` prints, in a process to which something is denied."""
    program = f"{BEGIN}\n{denied}\n{code}"
    ran = subprocess.run(
        [sys.executable, "-c", program, str(place)], capture_output=True, text=True, timeout=50, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def names_that_work(found: object) -> list[str]:
    assert isinstance(found, list)
    return [name for name, works, _ in found if works]


def test_without_filters_everything_is_traced(tmp_path: Path) -> None:
    found = run_where("deny({SECCOMP[machine()]: ()}, errno.EPERM)", BACKENDS, tmp_path)

    assert names_that_work(found) == ["ptrace"]
    assert "not permitted" in str(found)


def test_without_randomized_addresses_commands_are_traced(tmp_path: Path) -> None:
    found = run_where("ctypes.CDLL(None).personality(0x0040000)", BACKENDS, tmp_path)

    assert names_that_work(found) == ["ptrace-seccomp", "ptrace"]
    assert "not randomized" in str(found)


def test_where_nothing_works_commands_run_unobserved(tmp_path: Path) -> None:
    code = f"""
with Sandbox() as box:
    ran = execute(Command(("echo", "text")), box, timeout=20)
    try:
        observe(Command(("true",)), box, timeout=20)
    except HarnessError as error:
        print(json.dumps([ran.status, ran.stdout.decode(), str(error), {list(NAMES)!r}]))
"""
    found = run_where("deny({SECCOMP[machine()]: (), PTRACE: ()}, errno.EPERM)", code, tmp_path)

    assert isinstance(found, list)
    assert found[:2] == [0, "text\n"]
    assert all(name in found[2] for name in NAMES)


def test_a_kernel_whose_notifications_end_with_a_signal_will_do(tmp_path: Path) -> None:
    """Before Linux 5.19 a signal takes a stopped thread out of its call, which it then makes again."""
    handled = """
import os, signal
signal.signal(signal.SIGTERM, lambda *_: print("handled", flush=True))
open("pid", "w").write(str(os.getpid()))
for _ in range(2):
    os.close(os.open("state", os.O_CREAT | os.O_WRONLY))
"""
    code = f"""
with Sandbox(backend="seccomp-notify") as box:
    first = Command((sys.executable, "-I", "-S", "-c", {handled!r}))
    second = Command(("sh", "-c", "kill -TERM $(cat pid); until grep -q x state; do echo x >> state; done"))
    both = interleave(first, second, box, Point("open-create", "work/state"), timeout=20)
    names = [f"{{call.name}} #{{call.occurrence}}" for call in both.first.calls if call.path == "work/state"]
    print(json.dumps([both.first.status, both.first.stdout.decode(), both.second.status, names]))
"""
    denied = """
IOCTL = {"x86_64": 16, "aarch64": 29}[machine()]
deny({SECCOMP[machine()]: (AnyBit(1, WAIT_KILLABLE),), IOCTL: (OneOf(1, (SET_FLAGS,)),)}, errno.EINVAL)
"""

    found = run_where(denied, code, tmp_path)

    assert found == [0, "handled\n", 0, ["open-create #1", "open-create #2"]]
