from pathlib import Path

import pytest

from racehound.cli import exits
from racehound.cli.main import main

COUNTER = """
import threading


class Counter:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.value = 0

    def increment(self) -> None:
        self.value += 1

    def reset(self) -> None:
        with self._lock:
            self.value = 0
"""


@pytest.fixture(autouse=True)
def _counter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counter.py").write_text(COUNTER, encoding="utf-8")


def test_race_is_shown_and_its_test_written(capfd: pytest.CaptureFixture[str]) -> None:
    status = main(["prove", "counter.py::Counter", "--write-test", "test_race.py"])

    shown, errors = capfd.readouterr()
    assert status == exits.FINDINGS
    assert "race" in shown
    assert "self.value += 1" in shown
    assert "wrote test_race.py" in errors
    assert "explore(" in Path("test_race.py").read_text(encoding="utf-8")


def test_given_operations_are_what_is_raced(capfd: pytest.CaptureFixture[str]) -> None:
    status = main(["prove", "counter:Counter", "--op", "subject.reset()", "--op", "subject.reset()"])

    assert status == exits.NOTHING
    assert "exhausted every interleaving of 1 scenario" in capfd.readouterr().out


def test_invariant_takes_the_place_of_the_serial_outcomes(capfd: pytest.CaptureFixture[str]) -> None:
    holds = ["--op", "subject.increment()", "--op", "subject.reset()", "--invariant", "subject.value in (0, 1)"]
    fails = ["--op", "subject.increment()", "--invariant", "subject.value == 2", "--write-test", "test_race.py"]

    assert main(["prove", "counter.py::Counter", *holds]) == exits.NOTHING
    assert main(["prove", "counter.py::Counter", *fails]) == exits.FINDINGS
    assert "the invariant does not hold" in capfd.readouterr().out
    assert "invariant=lambda subject: subject.value == 2" in Path("test_race.py").read_text(encoding="utf-8")


def test_target_that_cannot_be_imported_is_wrong_use(capfd: pytest.CaptureFixture[str]) -> None:
    Path("counter.py").write_text(f"raise ImportError('no display')\n{COUNTER}", encoding="utf-8")

    assert main(["prove", "counter.py::Counter"]) == exits.USAGE

    shown, errors = capfd.readouterr()
    assert shown == ""
    assert "no display" in errors
    assert "make sure that this Python can import it" in errors
    assert errors.count("\n") == 1


def test_strict_tells_inconclusive_from_safe(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["prove", "counter.py::Counter", "--op", "subject.no_such_method()"]

    assert main(arguments) == exits.NOTHING
    assert main([*arguments, "--strict"]) == exits.INCONCLUSIVE
    assert "inconclusive" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["counter.py::Nope"], "counter.py has no class or function Nope"),
        (["missing.py::Counter"], "missing.py does not exist"),
        (["counter.py"], "counter.py names no class or function"),
        (["counter.py::Counter", "--op", "subject.("], "'subject.(' is no Python expression"),
        (["counter.py::Counter", "--write-test", "no/such/dir/t.py"], "its directory does not exist"),
    ],
)
def test_wrong_use_is_one_line(arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", *arguments]) == exits.USAGE

    errors = capfd.readouterr().err
    assert said in errors
    assert errors.count("\n") == 1


def test_target_that_cannot_be_made_is_wrong_use(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "counter.py::Counter", "--setup", "Counter(1, 2)"]) == exits.USAGE

    shown, errors = capfd.readouterr()
    assert shown == ""
    assert "Counter(1, 2) raises TypeError" in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("form", "beginning"), [("json", "{"), ("markdown", "## "), ("html", "<!doctype html>"), ("svg", "<svg ")]
)
def test_proof_comes_in_the_format_asked_for(form: str, beginning: str, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["prove", "counter.py::Counter", "--op", "subject.increment()", "--format", form]

    assert main([*arguments, "--output", "proof.txt"]) == exits.FINDINGS
    assert capfd.readouterr().out == ""
    assert Path("proof.txt").read_text(encoding="utf-8").startswith(beginning)


def test_saved_proof_replays_in_another_format(capfd: pytest.CaptureFixture[str]) -> None:
    main(["prove", "counter.py::Counter", "--op", "subject.increment()", "--output", "proof.txt"])

    assert main(["replay", "proof.txt", "--format", "svg"]) == exits.FINDINGS
    assert capfd.readouterr().out.startswith("<svg ")
