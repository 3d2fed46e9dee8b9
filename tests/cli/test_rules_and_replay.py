import json
import re
from pathlib import Path

import pytest

from racehound.cli import exits
from racehound.cli.main import main
from racehound.rules.registry import all_rules

RACY = """\
import threading


class Counter:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.value = 0

    def increment(self) -> None:
        self.value += 1
"""


def test_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == exits.NOTHING

    output = capsys.readouterr().out
    assert all(rule.meta.code in output and rule.meta.name in output for rule in all_rules())


@pytest.mark.parametrize("code", ["RH102", "rh102", "unlocked-read-modify-write"])
def test_rule_is_explained_by_code_or_name(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", code]) == exits.NOTHING
    assert "unlocked-read-modify-write" in capsys.readouterr().out


def test_unknown_rule_is_answered_with_its_neighbour(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "RH1O2"]) == exits.USAGE

    errors = capsys.readouterr().err
    assert "RH1O2" in errors
    assert "RH102" in errors


@pytest.mark.slow
def test_token_and_report_replay_the_race_until_it_is_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "counter.py"
    source.write_text(RACY)
    main(["hunt", "--prove", "--format", "json", "--output", "report.json", "--select", "RH102"])
    (finding,) = json.loads(Path("report.json").read_text())["findings"]

    assert main(["replay", finding["proof"]["token"]]) == exits.FINDINGS
    first = capsys.readouterr().out
    assert main(["replay", "report.json"]) == exits.FINDINGS
    assert capsys.readouterr().out == first
    assert first.startswith("proof: race after ")
    assert "self.value += 1" in first

    source.write_text(re.sub(r"(self.value \+= 1)", r"with self._lock:\n            \1", RACY))
    assert main(["replay", "report.json"]) == exits.NOTHING


def test_file_without_a_token_is_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("nothing\n")

    assert main(["replay", str(path)]) == exits.USAGE
    assert "holds no token" in capsys.readouterr().err


def test_text_that_is_no_token_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "rh1-nonsense"]) == exits.USAGE
    assert "not a racehound token" in capsys.readouterr().err


def test_rules_can_be_selected_by_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--select", "lock-across-await,RH305"]) == 0

    output = capsys.readouterr().out
    assert all(code in output for code in ("RH303", "RH304", "RH305", "orphan-tasks"))
    assert "RH102" not in output


def test_rules_are_listed_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--format", "json"]) == 0

    listed = json.loads(capsys.readouterr().out)
    assert {"code", "name", "severity", "groups", "accuses", "race_type", "impact", "since"} == set(listed[0])
    assert all(item["accuses"].endswith(".") and "`" not in item["accuses"] for item in listed)
    assert "shared-state" in next(item for item in listed if item["code"] == "RH102")["groups"]


def test_group_is_explained_by_its_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "orphan-tasks"]) == 0

    output = capsys.readouterr().out
    assert all(code in output for code in ("RH305", "RH306", "RH307"))


@pytest.mark.parametrize("word", ["possible", "Likely", "confidence"])
def test_confidence_is_explained_by_every_doubt(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == exits.NOTHING

    assert "Only one thread is seen to take this step." in capsys.readouterr().out
