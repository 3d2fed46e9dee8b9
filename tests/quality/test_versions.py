"""A token and a written test mean the same on every supported version of Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import racehound
from racehound.cli import exits
from racehound.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("Counter", "Turnstile")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = [version for version in ("3.11", "3.12", "3.13") if version != HERE]
COUNTER = """\
import asyncio
import threading


class Counter:
    def __init__(self, limit: int) -> None:
        self._lock = threading.Lock()
        self.values = dict()

    def increment(self, key: str) -> None:
        {guard}
            if key not in self.values:
                self.values[key] = 0
            self.values[key] += 1


class Turnstile:
    def __init__(self) -> None:
        self.count = 0
        self._lock = asyncio.Lock()

    async def enter(self) -> None:
        {asynchronous_guard}
            seen = self.count
            await asyncio.sleep(0)
            self.count = seen + 1
"""
RACY = COUNTER.format(guard="if True:", asynchronous_guard="if True:")
FIXED = COUNTER.format(guard="with self._lock:", asynchronous_guard="async with self._lock:")


def interpreters() -> dict[str, str]:
    """Those that the CI script finds, by version."""
    found = subprocess.run([ROOT / ".ci" / "pythons"], capture_output=True, text=True, check=False)
    known: dict[str, str] = {}
    for path in found.stdout.split():
        question = "import sys; print('%d.%d' % sys.version_info[:2])"
        answer = subprocess.run([path, "-c", question], capture_output=True, text=True, check=False)
        known.setdefault(answer.stdout.strip(), path)
    return known


INTERPRETERS = interpreters()


def run(version: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A module on another interpreter, with our own packages: those that are needed here are pure Python."""
    packages = [str(Path(module.__file__ or "").parents[1]) for module in (racehound, pytest)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(packages), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [INTERPRETERS[version], "-W", "ignore", "-m", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.slow
@pytest.mark.timeout(180)  # a dozen starts of Python
@pytest.mark.parametrize("version", OTHERS)
def test_token_replays_and_written_test_fails_until_the_race_is_gone(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if version not in INTERPRETERS:
        pytest.skip(f"there is no Python {version} here")
    monkeypatch.chdir(tmp_path)
    Path("counting.py").write_text(RACY, encoding="utf-8")
    for name in NAMES:
        arguments = ["prove", f"counting.py::{name}", "--output", f"{name}.txt"]
        assert main([*arguments, "--write-test", f"test_{name}.py"]) == exits.FINDINGS
    capfd.readouterr()

    replayed = {name: run(version, "racehound", "replay", f"{name}.txt") for name in NAMES}
    failed = run(version, "pytest", "-q", "test_Counter.py", "test_Turnstile.py")
    Path("counting.py").write_text(FIXED, encoding="utf-8")
    gone = run(version, "racehound", "replay", "Counter.txt")
    passed = run(version, "pytest", "-q", "test_Counter.py", "test_Turnstile.py")

    for name, shown in replayed.items():
        assert timeline(shown.stdout) == timeline(Path(f"{name}.txt").read_text(encoding="utf-8"))
        assert shown.returncode == exits.FINDINGS
    assert gone.returncode == exits.NOTHING
    assert "2 failed" in failed.stdout
    assert "2 passed" in passed.stdout


def timeline(shown: str) -> str:
    """From the set-up to the outcome: the number of executions may differ."""
    return shown[shown.index("set-up") : shown.index("replay ")]
