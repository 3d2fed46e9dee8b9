import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from drivers.reports import PATCH, RACE, REPORTS, finding
from racehound.model.finding import Confidence, Finding
from racehound.model.patch import Safety
from racehound.model.report import Case, Report, Statistics
from racehound.model.rule import RuleMeta, RuleText, Severity
from racehound.reporters import json_format, markdown, pages, rules, sarif, text
from racehound.reporters.registry import FORMATS, reporter
from racehound.reporters.statistics import statistics

FINDING_KEYS = {
    *(
        "rule",
        "name",
        "path",
        "line",
        "end_line",
        "column",
        "severity",
        "confidence",
        "grade",
        "message",
        "race_type",
    ),
    *("trigger", "impact", "evidence", "related", "fingerprint", "proof", "patch"),
}
PROOF_KEYS = {"verdict", "reason", "token", "executions", "oracle", "timeline"}
STEP_KEYS = {"task", "path", "line", "source", "operation", "target", "value", "switch"}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_loaded(name: str) -> None:
    assert reporter(name)(Report(cases=())).endswith("\n")


def test_json_has_exactly_the_keys_of_the_contract() -> None:
    data = json.loads(json_format.render(REPORTS["proven"]))

    assert set(data) == {"version", "findings", "statistics"}
    for item in data["findings"]:
        assert set(item) == FINDING_KEYS
        assert set(item["proof"]) == PROOF_KEYS
        assert all(set(step) == STEP_KEYS for step in item["proof"]["timeline"])
        assert set(item["patch"]) == {"diff", "safety", "proof"}
        assert set(item["patch"]["proof"]) == PROOF_KEYS
        assert all(set(related) == {"path", "line", "message"} for related in item["related"])


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_why_a_finding_is_weaker(name: str) -> None:
    doubt = "No two threads are seen here."
    weaker = replace(finding(), confidence=Confidence.LIKELY, doubt=doubt)

    assert doubt in " ".join(reporter(name)(Report(cases=(Case(finding=weaker),))).split())
    assert "oubt" not in reporter(name)(Report(cases=(Case(finding=finding()),)))


def test_json_says_it_without_a_key_of_its_own() -> None:
    weaker = replace(finding(), confidence=Confidence.LIKELY, doubt="No two threads are seen here.")
    (item,) = json.loads(json_format.render(Report(cases=(Case(finding=weaker),))))["findings"]

    assert set(item) == FINDING_KEYS
    assert item["trigger"] == f"{finding().trigger} Doubt: No two threads are seen here."


def test_json_without_proof_and_patch_has_nulls() -> None:
    (item,) = json.loads(json_format.render(Report(cases=(Case(finding=finding()),))))["findings"]

    assert item["proof"] is None
    assert item["patch"] is None


def related(finding: Finding) -> list[str]:
    report = Report(cases=(Case(finding=finding),))
    (item,) = json.loads(json_format.render(report))["findings"]
    (result,) = json.loads(sarif.render(report))["runs"][0]["results"]
    assert len(result["relatedLocations"]) == 2
    return [place["message"] for place in item["related"]]


def test_operation_that_meets_itself_is_named_twice() -> None:
    one = finding()

    first, second = related(replace(one, second=one.first))

    where = "`Stock.take` updates `self._count` (line 12) in any thread that calls `take`"
    assert first == f"{where}; neither of the two holds a lock"
    assert second == f"the same operation, in another thread or task at the same time: {where}"


def test_lock_that_others_hold_is_named_for_programs() -> None:
    one = finding()

    first, second = related(replace(one, subject=replace(one.subject, lock="_lock")))

    assert first.endswith("holding no lock; others hold `_lock`")
    assert second.endswith("holding `self._lock`")


def test_end_line_falls_back_to_the_line() -> None:
    place = replace(finding().location, end_line=0)

    (item,) = json.loads(json_format.render(Report(cases=(Case(finding=replace(finding(), location=place)),))))[
        "findings"
    ]

    assert item["end_line"] == item["line"]


@pytest.mark.parametrize("code", ["plain", "```", "`````\n```", "x = '`'"])
def test_fence_is_longer_than_any_run_inside(code: str) -> None:
    opening, *body, closing = markdown.fence(code, "python").split("\n")

    assert opening == f"{closing}python"
    assert "\n".join(body) == code
    assert closing not in code


def test_code_span_can_hold_backticks_and_pipes() -> None:
    assert markdown.code("a | `b`") == "`` a \\| `b` ``"


def test_plain_text_is_escaped_and_code_spans_are_kept() -> None:
    assert markdown.escape("*a* `*b*` <c> snake_case _d_ lone `") == r"\*a\* `*b*` \<c\> snake_case \_d\_ lone \`"


def test_text_is_no_wider_than_the_terminal_but_for_diff_and_token() -> None:
    case = Case(finding=finding(), proof=RACE)

    lines = text.render(Report(cases=(case,)), width=70).splitlines()

    assert [line for line in lines if len(line) > 70] == []


def test_names_are_whole_at_eighty_columns() -> None:
    timeline = tuple(replace(item, target="self._failures['payments']") for item in RACE.timeline)

    output = text.render_proof(replace(RACE, timeline=timeline), width=80)

    assert output.count("self._failures['payments']") == len(timeline)
    assert [line for line in output.splitlines() if len(line) > 80] == []


def test_broken_invariant_is_not_called_an_outcome_without_a_serial_order() -> None:
    claim = "no serial order gives this"

    assert claim in text.render_proof(RACE)
    assert claim not in text.render_proof(replace(RACE, oracle="invariant"))


def test_reason_for_no_patch_is_told_to_people() -> None:
    case = Case(finding=finding(), proof=RACE, patch_reason="`take` hands control away in the middle")
    report = Report(cases=(case,))

    assert "\nno patch: `take` hands control away in the middle\n" in text.render(report)
    told = "Hold `self._lock` over the read and the write.\n\nNo patch: `take` hands control away in the middle."
    assert f"#### Fix\n\n{told}\n" in markdown.render(report)
    assert set(json.loads(json_format.render(report))["findings"][0]) == FINDING_KEYS


def test_text_has_colour_only_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    report = REPORTS["proven"]

    assert "\x1b[" not in text.render(report)
    colored = text.render(report, color=True)
    assert "\x1b[32m+        with self._lock:" in colored
    assert re.sub(r"\x1b\[[\d;]*m", "", colored).split() == text.render(report).split()


def test_three_tasks_have_three_columns() -> None:
    third = replace(RACE.timeline[0], task=2)

    output = text.render_proof(replace(RACE, timeline=(*RACE.timeline, third)))

    assert "task 1" in output
    assert "task 3" in output


def test_shared_patch_is_printed_once() -> None:
    for name in ("text", "markdown"):
        assert reporter(name)(REPORTS["proven"]).count("+        with self._lock:") == 1


def test_different_patches_are_all_printed() -> None:
    other = replace(PATCH, diff=PATCH.diff.replace("take", "give"))
    report = Report(cases=(Case(finding=finding(), patch=PATCH), Case(finding=finding(20), patch=other)))

    assert text.render(report).count("+        with self._lock:") == 2


def test_closing_line_says_how_many_patches_are_for_somebody_to_read_first() -> None:
    unsafe = replace(PATCH, safety=Safety.UNSAFE)
    report = Report(cases=(Case(finding=finding(), patch=PATCH), Case(finding=finding(20), patch=unsafe)))

    assert "2 fixed by a patch that is proven safe (1 of them graded unsafe)." in text.render(report)


def test_statistics_count_rules_and_verdicts() -> None:
    counts = Statistics(files=2, lines=30, rules={"RH102": 1}, verdicts={"race": 1})

    assert statistics(counts) == "files  2\nlines  30\nRH102  1\nrace   1\n"


def test_table_of_rules_speaks_in_general() -> None:
    meta = RuleMeta(
        code="RH999",
        name="odd-thing",
        summary="`{first_field}` is odd",
        severity=Severity.WARNING,
        race_type="Odd",
        impact="None.",
        since="0.1.0",
    )

    output = rules.table([RuleText(meta, "", "Something odd is done.")], width=100, color=False)

    assert "RH999" in output
    assert "Something odd is done." in output
    assert "first_field" not in output


def test_page_ends_with_its_last_line() -> None:
    assert pages.rendered("# RH999", width=80, color=False) == "# RH999\n"


def test_page_stays_markdown_where_there_is_no_terminal() -> None:
    page = "# RH999\n\nSome *words*.\n"

    assert pages.rendered(page, width=80, color=False) == page
    assert "\x1b[" in pages.rendered(page, width=80, color=True)


@pytest.mark.parametrize("render", [text.render, markdown.render])
def test_name_of_a_file_cannot_move_the_cursor_or_end_the_line(render: Callable[[Report], str]) -> None:
    odd = finding(12)
    odd = replace(odd, location=replace(odd.location, path="a\nb\x1b[31m.py"))

    shown = render(Report(cases=(Case(finding=odd),)))

    assert "\x1b" not in shown
    assert re.search(r"a\\+nb\\+x1b\\*\[31m\.py:12", shown)
