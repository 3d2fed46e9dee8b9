"""Everything works for an ordinary user without capabilities, too."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "src"
NOBODY = 65534
PROGRAM = """
import json, os, sys, tempfile
tempfile.tempdir = sys.argv[1]
from racehound.processes.calls import Point
from racehound.processes.command import Command
from racehound.processes.run import interleave
from racehound.processes.sandbox import Sandbox
found = {}
for name in sys.argv[2:]:
    with Sandbox(backend=name) as box:
        (box.work / "f").write_text("base\\n")
        one, two = (Command(("sed", "-i", f"$a {word}", "f")) for word in ("one", "two"))
        both = interleave(one, two, box, Point("rename", "work/f"), timeout=30)
        found[name] = [both.reached, both.first.status, both.second.status, (box.work / "f").read_text().split()]
print(json.dumps([os.getuid(), found]))
"""


def is_usable(python: str) -> bool:
    check = [python, "-c", "import sys; assert sys.version_info >= (3, 11)"]
    try:
        return (
            subprocess.run(check, user=NOBODY, cwd="/", env={}, capture_output=True, check=False).returncode == 0
        )
    except PermissionError:
        return False


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory of theirs; those of pytest are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        os.chown(name, NOBODY, NOBODY)
        yield Path(name)


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="needs root: without it, all other tests show this already")
def test_an_update_is_lost_by_schedule_as_nobody(place: Path) -> None:
    python = next((name for name in (sys.executable, "/usr/bin/python3") if is_usable(name)), None)
    if python is None:
        pytest.skip("needs an interpreter that other users may run")
    names = ("seccomp-notify", "ptrace-seccomp", "ptrace")

    ran = subprocess.run(
        [python, "-c", PROGRAM, str(place), *names],
        user=NOBODY,
        group=NOBODY,
        extra_groups=(),
        cwd="/",
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=True,
    )

    assert json.loads(ran.stdout) == [NOBODY, {name: [True, 0, 0, ["base", "one"]] for name in names}]
    assert list(place.iterdir()) == []
