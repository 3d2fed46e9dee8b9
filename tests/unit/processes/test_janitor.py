"""How the process ends that a janitor becomes; what it does before is tested with sandboxes."""

import subprocess
import sys
from pathlib import Path

import pytest

BECOME = """
import atexit, os, sys
from pathlib import Path
from racehound.processes import janitor
from racehound.processes.commons import NONE

def keep(*_):
    {body}

atexit.register(print, "last rites")
janitor.keep = keep
janitor.Janitor(None, Path("slot"))._become(NONE, os.open(os.devnull, os.O_WRONLY))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "status", "told"), [("return", 0, ""), ("raise OSError('full')", 1, "OSError: full")]
)
def test_keeper_ends_at_once_and_tells_what_went_wrong(body: str, status: int, told: str) -> None:
    code = BECOME.format(body=body)

    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert ended.returncode == status
    assert ended.stdout == ""
    assert ended.stderr.strip().endswith(told)


KEEP = """
import socket, sys
from pathlib import Path
from racehound.processes.fence import Fence
from racehound.processes.keeper import keep

ours, theirs = socket.socketpair()
theirs.close()
keep(ours, Path(sys.argv[1]), Fence(sys.argv[1]))
"""


@pytest.mark.slow
def test_keeper_whose_owner_ended_before_it_began_says_nothing(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", KEEP, tmp_path], capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stderr) == (0, "")
