"""What the guide for users of filelock promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drivers.lock_processes import child, run, said
from racehound.guard import Lock, LockHeld

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "migrating-from-filelock.md"
ALL_BLOCKS = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
BLOCKS = [block for block in ALL_BLOCKS if "filelock" not in block]

HOLD_WITH_FILELOCK = """
import sys
from filelock import FileLock
with FileLock(sys.argv[1]):
    print("ready", flush=True)
    sys.stdin.readline()
"""

TRY_WITH_FILELOCK = """
import sys
from filelock import FileLock
FileLock(sys.argv[1]).acquire(timeout=0)
"""


@pytest.mark.parametrize("block", BLOCKS)
def test_code_of_the_guide_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACEHOUND_LOCK_DIR", str(tmp_path))
    result = run(block)
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "build.lock").exists()


def test_both_libraries_exclude_each_other(tmp_path: Path) -> None:
    pytest.importorskip("filelock", reason="needs filelock to lock with")
    path = tmp_path / "x.lock"
    with child(HOLD_WITH_FILELOCK, path) as other:
        assert said(other) == ["ready"]
        with pytest.raises(LockHeld, match=f"PID {other.pid}"):
            Lock(path, timeout=0).acquire()
    with Lock(path):
        assert "Timeout" in run(TRY_WITH_FILELOCK, path).stderr
