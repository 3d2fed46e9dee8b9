from pathlib import Path

import pytest

from drivers.reports import PATH, REPORTS, finding
from racehound.model.report import Case, Report
from racehound.pipeline.report import in_detail


def test_details_are_the_pages_of_the_rules_and_the_source_around_the_operations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()
    (tmp_path / PATH).write_text("".join(f"line {number}\n" for number in range(1, 23)))

    report = in_detail(Report(cases=(Case(finding=finding()),)))

    assert [rule.meta.code for rule in report.rules] == ["RH102"]
    assert [(item.line, item.lines[0], item.lines[-1]) for item in report.excerpts] == [(9, "line 9", "line 22")]


def test_operations_far_apart_have_an_excerpt_each() -> None:
    text = "\n" * 100

    report = in_detail(Report(cases=(Case(finding=finding(12)), Case(finding=finding(60)))), {PATH: text})

    assert [(item.line, len(item.lines)) for item in report.excerpts] == [(9, 15), (57, 15)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_excerpts_have_the_lines_of_python(end: str) -> None:
    text = "".join(f"\x0cline\u2028 {number}{end}" for number in range(1, 23))

    (excerpt,) = in_detail(Report(cases=(Case(finding=finding()),)), {PATH: text}).excerpts

    assert (excerpt.line, excerpt.lines[0]) == (9, "\x0cline\u2028 9")


def test_file_that_is_gone_has_no_excerpt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert in_detail(REPORTS["plain"]).excerpts == ()
