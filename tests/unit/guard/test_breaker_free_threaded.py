"""The same cases on an interpreter without the GIL, where a bare `+=` loses most of its increments."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
INTERPRETERS = [path for name in ("python3.14t", "python3.13t") if (path := shutil.which(name))]
SCRIPT = """
from drivers.breaker import CASES, ours

failed = {title: result.detail for title, case in CASES.items() if not (result := case(ours)).passed}
assert not failed, failed
"""


def run_cases(*interpreter: str, **settings: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    paths = os.pathsep.join(str(ROOT / part) for part in ("src", "tests"))
    environment = {**kept, **settings, "PYTHONPATH": paths}
    run = subprocess.run(
        [*interpreter, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr


@pytest.mark.slow
def test_the_cases_need_nothing_but_the_standard_library() -> None:
    """So that they can run on an interpreter for which nothing else is installed."""
    run_cases(sys.executable, "-S")


@pytest.mark.slow
@pytest.mark.skipif(not INTERPRETERS, reason="no free-threaded interpreter is installed")
@pytest.mark.parametrize("interpreter", INTERPRETERS)
def test_our_breaker_stands_the_cases_without_the_gil(interpreter: str) -> None:
    run_cases(interpreter, PYTHON_GIL="0")
