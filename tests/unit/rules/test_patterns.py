"""The patterns that the hunt is for, each in an obvious and a realistic form, racy and fixed."""

from pathlib import Path

import pytest

from racehound.model.finding import Finding
from racehound.pipeline.hunt import hunt

PATTERNS = Path(__file__).parents[2] / "rules" / "patterns"
RACY = sorted(PATTERNS.glob("*/*_racy.py"))
FIXED = sorted(PATTERNS.glob("*/*_fixed.py"))


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def marked(path: Path) -> set[int]:
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    return {number for number, line in lines if line.endswith("# RH")}


def touched(finding: Finding) -> set[int]:
    return {access.location.line for access in (finding.first, finding.second, *finding.further)}


@pytest.mark.parametrize("path", RACY, ids=name)
def test_racy_form_is_found_on_a_marked_line(path: Path) -> None:
    findings, _, _ = hunt([path])

    assert marked(path)
    assert any(touched(finding) & marked(path) for finding in findings)


@pytest.mark.parametrize("path", FIXED, ids=name)
def test_fixed_form_is_silent(path: Path) -> None:
    findings, diagnostics, _ = hunt([path])

    assert [f"{finding.location}: {finding.rule} {finding.message}" for finding in findings] == []
    assert diagnostics == ()


def test_each_pattern_has_both_forms() -> None:
    forms = {f"{kind}_{state}.py" for kind in ("obvious", "realistic") for state in ("racy", "fixed")}

    assert len(list(PATTERNS.iterdir())) == 22
    assert all({path.name for path in pattern.glob("*.py")} >= forms for pattern in PATTERNS.iterdir())
    assert {str(path).replace("_racy.py", "_fixed.py") for path in RACY} == set(map(str, FIXED))
