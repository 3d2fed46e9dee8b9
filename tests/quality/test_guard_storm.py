"""State under a storm of kills, stops and forks. The long form: RACEHOUND_STORM_SECONDS=60."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = float(os.environ.get("RACEHOUND_STORM_SECONDS", "3"))


def untraced() -> dict[str, str]:
    """Thousands of short processes are to be fast, and need not be measured for coverage."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 60)
def test_storm_loses_no_update_tears_no_file_and_leaves_no_lock_stuck() -> None:
    script = Path(__file__).with_name("guard_storm.py")
    result = subprocess.run(
        [sys.executable, script, str(SECONDS)],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS + 50,
        env=untraced(),
    )

    assert result.stdout, result.stderr
    outcome = json.loads(result.stdout)
    assert outcome["failures"] == [], outcome
    assert outcome["acknowledged"] > 100
    assert outcome["kills"] > 10
    assert outcome["stops"] > 10
