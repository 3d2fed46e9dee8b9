from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def untraced() -> dict[str, str]:
    """Thousands of short processes are to be fast, and need not be measured for coverage."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}


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
        env=untraced(),
    )

    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["broken"] == []
    assert {"flock", "open", "write", "fsync", "replace", "close"} <= set(report["calls"])
    assert report["seen"]["old"] >= 20
    assert report["seen"]["new"] >= 4
