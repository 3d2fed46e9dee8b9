"""`racehound hunt` on small programs; proofs are made by the real prover in child processes."""

import json
from pathlib import Path

import pytest

from racehound.cli import exits
from racehound.cli.main import main

RACY = """\
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


@pytest.fixture
def counter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "counter.py"
    path.write_text(RACY)
    return path


def test_nothing_found_is_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "clean.py").write_text("x = 1\n")

    assert main(["hunt", str(tmp_path)]) == exits.NOTHING
    assert capsys.readouterr().out == "No findings in 1 file.\n"


@pytest.mark.usefixtures("counter")
def test_findings_in_the_current_directory_are_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt"]) == exits.FINDINGS

    output = capsys.readouterr().out
    assert "RH102 unlocked-read-modify-write" in output
    assert "counter.py:10" in output
    assert "proof:" not in output
    assert "patch:" not in output


@pytest.mark.usefixtures("counter")
def test_rules_are_selected_and_ignored_by_code_and_name(capsys: pytest.CaptureFixture[str]) -> None:
    main(["hunt", "--format", "json", "--select", "RH102,inconsistent-guard", "--ignore", "rh107"])

    assert {item["rule"] for item in json.loads(capsys.readouterr().out)["findings"]} == {"RH102"}


@pytest.mark.usefixtures("counter")
@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_unknown_rule_is_status_2(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", option, "RH999"]) == exits.USAGE

    errors = capsys.readouterr().err
    assert "RH999" in errors
    assert errors.count("\n") == 1


def test_missing_path_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "no/such/path"]) == exits.USAGE

    captured = capsys.readouterr()
    assert "no/such/path" in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.usefixtures("counter")
def test_missing_path_does_not_keep_the_others_from_being_hunted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "nope.py", "counter.py"]) == exits.USAGE

    captured = capsys.readouterr()
    assert captured.err == ("racehound: no such file or directory: nope.py; name a Python file or a directory\n")
    assert "counter.py:10" in captured.out


@pytest.mark.parametrize("command", ["hunt", "prove"])
@pytest.mark.parametrize("budget", ["nan", "inf", "1e300"])
def test_budget_that_no_clock_can_count_is_status_2(
    command: str, budget: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "counter.py", "--budget", budget]) == exits.USAGE

    captured = capsys.readouterr()
    assert f"{float(budget)} is not a number of seconds" in captured.err.replace(budget, str(float(budget)))
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_reason_for_no_patch_is_part_of_the_report(counter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counter.write_text(RACY + "\n    async def poll(self):\n        self.value += 1\n")

    main(["hunt", "--diff", "counter.py"])

    assert "no patch: `poll` hands control away in the middle" in capsys.readouterr().out


def test_broken_file_is_named_and_the_others_are_analysed(
    counter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (counter.parent / "broken.py").write_text("def f(:\n")

    assert main(["hunt", "."]) == exits.FINDINGS

    captured = capsys.readouterr()
    assert captured.err.startswith("racehound: broken.py:1: ")
    assert captured.err.count("\n") == 1
    assert "RH102" in captured.out


@pytest.mark.usefixtures("counter")
def test_fix_and_diff_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "--fix", "--diff"]) == exits.USAGE
    assert "--fix and --diff exclude each other" in capsys.readouterr().err


def test_diff_shows_the_patch_and_changes_nothing(counter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "--diff", "counter.py"]) == exits.FINDINGS

    output = capsys.readouterr().out
    assert "+        with self._lock:" in output
    assert "The patched code was not proven." in output
    assert counter.read_text() == RACY


def test_report_is_written_to_a_file(counter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "--format", "json", "--output", "report.json", "--no-cache"]) == exits.FINDINGS

    assert capsys.readouterr().out == ""
    assert json.loads((counter.parent / "report.json").read_text())["version"] == 1


@pytest.mark.parametrize("place", ["no/such/report.md", "."])
@pytest.mark.usefixtures("counter")
def test_output_that_cannot_be_written_is_status_2(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "--output", place]) == exits.USAGE

    errors = capsys.readouterr().err
    assert errors.startswith(f"racehound: cannot write {place}: ")
    assert errors.count("\n") == 1


@pytest.mark.usefixtures("counter")
def test_statistics_follow_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    main(["hunt", "--statistics", "--select", "RH102"])

    assert capsys.readouterr().out.endswith("files  1\nlines  14\nRH102  1\n")


@pytest.mark.usefixtures("counter")
def test_statistics_are_part_of_json_anyway(capsys: pytest.CaptureFixture[str]) -> None:
    main(["hunt", "--statistics", "--format", "json", "--select", "RH102"])

    assert json.loads(capsys.readouterr().out)["statistics"]["rules"] == {"RH102": 1}


@pytest.mark.slow
def test_race_is_proven_fixed_and_gone(counter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hunt", "--fix", "--format", "json", "--budget", "10"]) == exits.FINDINGS

    captured = capsys.readouterr()
    findings = json.loads(captured.out)["findings"]
    assert {item["proof"]["verdict"] for item in findings} == {"race"}
    assert {item["patch"]["proof"]["verdict"] for item in findings} == {"safe"}
    assert captured.err == f"racehound: counter.py: fixed {len(findings)} finding{'s' * (len(findings) > 1)}\n"
    assert counter.read_text().count("with self._lock:") == 2

    assert main(["hunt"]) == exits.NOTHING


@pytest.mark.slow
def test_patch_that_cannot_be_proven_is_not_written(counter: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counter.write_text("raise ImportError('no display')\n" + RACY)

    assert main(["hunt", "--fix", "--select", "RH102", "--budget", "5"]) == exits.FINDINGS

    captured = capsys.readouterr()
    assert "counter.py: not written: the patch of Counter is not proven safe" in captured.err
    assert "proof: inconclusive" in captured.out
    assert counter.read_text() == "raise ImportError('no display')\n" + RACY
