"""The examples are the measure of the product: each racy one is found and proven, each fixed one holds.

A line that ends with `# race: RH102` is one that rule RH102 must accuse. What racehound cannot do yet is listed
here as an expected failure, strictly: a pattern that begins to work fails the suite until it leaves the list.
"""

import ast
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from drivers.command import EXAMPLE, ROOT, racehound
from racehound.model.finding import Finding
from racehound.model.proof import Proof, Verdict
from racehound.pipeline.hunt import hunt
from racehound.pipeline.prove import prove_finding

pytestmark = pytest.mark.usefixtures("unmeasured")

PATTERNS = sorted((ROOT / "examples" / "patterns").glob("[0-9]*"))
MARK = re.compile(r"# race: (RH\d{3})$")
BUDGET = 60.0

NOT_FOUND: dict[str, str] = {}
NOT_SILENT: dict[str, str] = {}
NOT_PROVEN_SAFE: dict[str, str] = {}
NOT_PROVEN: dict[str, str] = {}


def patterns(expected_to_fail: dict[str, str]) -> pytest.MarkDecorator:
    cases = []
    for folder in PATTERNS:
        reason = expected_to_fail.get(folder.name)
        marks = [pytest.mark.xfail(strict=True, reason=reason, raises=AssertionError)] if reason else []
        cases.append(pytest.param(folder, id=folder.name, marks=marks))
    return pytest.mark.parametrize("folder", cases)


def marked_lines(path: Path) -> set[tuple[str, int]]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return {(mark[1], number) for number, line in lines if (mark := MARK.search(line))}


def accused(path: Path) -> tuple[Finding, ...]:
    findings, diagnostics, _ = hunt([path])
    assert diagnostics == ()
    return findings


def accused_on_marked_lines(folder: Path) -> list[Finding]:
    marks = marked_lines(folder / "racy.py")
    return [finding for finding in accused(folder / "racy.py") if (finding.rule, finding.location.line) in marks]


def proofs(folder: Path, *, source_override: str | None = None) -> list[Proof]:
    findings = accused_on_marked_lines(folder)
    return [prove_finding(finding, budget=BUDGET, source_override=source_override) for finding in findings]


def test_there_is_one_example_for_each_of_the_ten_patterns() -> None:
    assert [path.name[:2] for path in PATTERNS] == [f"{number:02}" for number in range(1, 11)]


@patterns({})
def test_racy_example_marks_its_bug_and_the_fixed_one_has_none(folder: Path) -> None:
    assert marked_lines(folder / "racy.py")
    assert not marked_lines(folder / "fixed.py")


@patterns({})
def test_both_forms_can_be_imported_and_say_what_they_show(folder: Path) -> None:
    for path in (folder / "racy.py", folder / "fixed.py"):
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert "main" in runpy.run_path(str(path))


@patterns({})
def test_fixed_example_runs(folder: Path) -> None:
    command = [sys.executable, "-W", "error", str(folder / "fixed.py")]

    assert subprocess.run(command, timeout=30, check=True, capture_output=True, text=True).stdout


@patterns(NOT_FOUND)
def test_racy_example_is_found_on_every_marked_line(folder: Path) -> None:
    found = {(finding.rule, finding.location.line) for finding in accused(folder / "racy.py")}

    assert marked_lines(folder / "racy.py") <= found


@patterns(NOT_SILENT)
def test_fixed_example_is_silent(folder: Path) -> None:
    assert [f"{finding.location}: {finding.message}" for finding in accused(folder / "fixed.py")] == []


@pytest.mark.slow
@patterns(NOT_PROVEN)
def test_racy_example_is_proven_racy(folder: Path) -> None:
    verdicts = {proof.verdict for proof in proofs(folder)}

    assert verdicts == {Verdict.RACE}


@pytest.mark.slow
@pytest.mark.timeout(2 * BUDGET)  # a machine that has other things to do may need the whole budget
@patterns(NOT_PROVEN_SAFE)
def test_fixed_example_is_proven_safe(folder: Path) -> None:
    """The search that breaks the racy form is run on the text of the fixed one."""
    fixed = (folder / "fixed.py").read_text(encoding="utf-8")
    verdicts = {proof.verdict for proof in proofs(folder, source_override=fixed)}

    assert verdicts == {Verdict.SAFE}


def test_expected_failures_name_real_patterns() -> None:
    names = {folder.name for folder in PATTERNS}

    assert set(NOT_FOUND) | set(NOT_SILENT) | set(NOT_PROVEN) | set(NOT_PROVEN_SAFE) <= names


@pytest.mark.slow
def test_the_breaker_goes_from_finding_to_proven_fix_in_one_command() -> None:
    run = racehound("hunt", EXAMPLE.relative_to(ROOT), "--prove", "--diff", "--format", "json")

    assert run.status == 1, run
    assert {(finding["rule"], finding["proof"]["verdict"]) for finding in run.findings} >= {
        ("RH102", "race"),
        ("RH107", "race"),
    }
    assert {finding["patch"]["proof"]["verdict"] for finding in run.findings} == {"safe"}
