"""Plain text is written by hand where Rich would lay it out in the same way, and only there."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.reports import REPORTS, finding
from racehound.model.report import Case, Report
from racehound.reporters import text
from racehound.reporters.text_plain import render_plain

SENTENCES = st.lists(st.text("ab-./` ", min_size=1, max_size=12), min_size=1, max_size=30).map(" ".join)


def of(*messages: str) -> Report:
    return Report(cases=tuple(Case(finding=replace(finding(), message=item, trigger=item)) for item in messages))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(SENTENCES, st.integers(40, 140))
def test_lines_are_those_of_the_full_layout(message: str, width: int) -> None:
    report = of(message, "short")

    plain = render_plain(report, width=width)

    assert plain in {None, text.render(report, width=width)}


@pytest.mark.parametrize("width", [100, 140])
def test_usual_findings_are_written_by_hand(width: int) -> None:
    report = of("`self._count` is read and written in two steps. " * 4, "A second one.")

    assert render_plain(report, width=width) == text.render(report, width=width)


@pytest.mark.parametrize(
    "report",
    [REPORTS["proven"], of("two\nlines"), of("wide 漢字"), of("x" * 200)],
    ids=["proofs", "lines", "wide characters", "long word"],
)
def test_what_needs_a_layout_is_left_to_it(report: Report) -> None:
    assert render_plain(report, width=100) is None


def test_report_without_findings_says_so() -> None:
    report = Report(cases=())

    assert render_plain(report, width=100) == text.render(report, width=100)
