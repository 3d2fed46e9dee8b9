"""Runs the racehound command as a person would, and reads what it says.

pytest, Behave and Robot Framework share this one driver, so that a change of the contract is met in one place.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "circuit_breaker.py"
PATIENCE = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a finished command left behind."""

    status: int
    output: str
    errors: str

    @property
    def data(self) -> dict[str, Any]:
        """Standard output read as JSON."""
        loaded: dict[str, Any] = json.loads(self.output)
        return loaded

    @property
    def findings(self) -> list[dict[str, Any]]:
        listed: list[dict[str, Any]] = self.data["findings"]
        return listed

    def __str__(self) -> str:
        return f"exit status {self.status}\n--- output\n{self.output}\n--- errors\n{self.errors}"


def racehound(
    *arguments: str | Path,
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    seconds: float = PATIENCE,
) -> Run:
    """Run `python -m racehound` with these arguments and wait for it."""
    return _run([sys.executable, "-m", "racehound", *map(str, arguments)], cwd, environment or {}, seconds)


def installed_racehound(*arguments: str | Path, cwd: Path = ROOT) -> Run:
    """Run the script that the installation put beside the interpreter."""
    return _run([str(Path(sys.executable).with_name("racehound")), *map(str, arguments)], cwd, {})


def _run(command: list[str], cwd: Path, environment: Mapping[str, str], seconds: float = PATIENCE) -> Run:
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    return Run(status=done.returncode, output=done.stdout, errors=done.stderr)


def is_one_clear_line(run: Run) -> bool:
    """Whether bad input was answered with a single line on standard error."""
    lines = run.errors.strip().splitlines()
    return len(lines) == 1 and lines[0].startswith("racehound: ") and "Traceback" not in run.output
