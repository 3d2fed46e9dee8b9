"""A written test finds the code from wherever it is run, fails while the race is there and passes afterwards."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from racehound.cli import exits
from racehound.cli.clock import LONGEST, begun
from racehound.cli.main import main
from racehound.scenario.regression import Target, placed

RACY = "class Counter:\n    value = 0\n\n    def increment(self):\n        self.value += 1\n"
LAYOUTS = {
    "package": ("src/pack/inner/code.py", {"src/pack/__init__.py": "", "src/pack/inner/__init__.py": ""}),
    "file": ("some where/my code.py", {}),
}


def run(test: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    lean = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd="/", env=lean, capture_output=True, text=True, check=False).stdout


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_test_fails_until_the_race_is_gone(
    layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path, files = LAYOUTS[layout]
    relative = "from ..inner import __name__ as home\n" if layout == "package" else ""
    for name, text in {path: relative + RACY, **files, "tests/conftest.py": ""}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert main(["prove", f"{path}::Counter", "--write-test", "tests/test_it.py"]) == exits.FINDINGS
    capfd.readouterr()
    test = tmp_path / "tests" / "test_it.py"
    racy = run(test)
    Path(path).write_text(relative + RACY.replace("self.value += 1", "pass"), encoding="utf-8")

    assert "AssertionError: race: " in racy
    assert "1 passed" in run(test)


BUS = """
class Bus:
    def __init__(self):
        self.callbacks = []

    def on(self, callback):
        self.callbacks.append(callback)

    def off(self, callback):
        if callback in self.callbacks:
            self.callbacks.remove(callback)
"""


@pytest.mark.slow
def test_test_hands_the_same_function_to_all_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bus.py").write_text(BUS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert main(["prove", "bus.py::Bus", "--write-test", "test_bus.py"]) == exits.FINDINGS
    capfd.readouterr()
    test = tmp_path / "test_bus.py"
    racy = run(test)
    (tmp_path / "bus.py").write_text(BUS.replace("callback in", "False and callback in"), encoding="utf-8")

    assert "x not in list" in racy
    assert "1 passed" in run(test)


@pytest.mark.parametrize(
    ("module", "path", "root"),
    [
        ("code", "code.py", "."),
        ("pack.code", "src/pack/code.py", "src"),
        ("pack", "src/pack/__init__.py", "src"),
        ("pack.inner", "inner/__init__.py", ".."),
    ],
)
def test_root_lies_above_the_package(module: str, path: str, root: str) -> None:
    assert Target.of(module, path).root == root.replace("/", os.sep)


def test_installed_code_is_found_without_a_path() -> None:
    assert Target.of("pack.code", "/lib/site-packages/pack/code.py").is_installed
    assert placed("from pack.code import C\n", Path("test_it.py")) == "from pack.code import C\n"


def test_budget_begins_with_the_process_unless_it_is_an_old_one() -> None:
    age = f"import time; from racehound.cli.clock import begun; print(0 < time.monotonic() - begun() <= {LONGEST})"

    shown = subprocess.run([sys.executable, "-c", age], capture_output=True, text=True, check=True).stdout

    assert shown == "True\n"
    assert begun() > 0
