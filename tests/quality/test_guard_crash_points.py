from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["json", "toml", "ini"])
def test_writer_killed_around_any_call_leaves_the_old_or_the_new_file(tmp_path: Path, suffix: str) -> None:
    script = Path(__file__).with_name("guard_crash_points.py")
    result = subprocess.run(
        [sys.executable, script, tmp_path / f"config.{suffix}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )

    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["broken"] == []
    assert {"flock", "open", "write", "fsync", "replace", "close"} <= set(report["calls"])
    assert report["seen"]["old"] >= 20
    assert report["seen"]["new"] >= 4
