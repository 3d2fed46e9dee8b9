"""Every format of an audit is a pure function of it."""

import json
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from drivers.audited import a_violation, an_audit
from racehound.reporters.audit_markdown import findings_row, trace_block
from racehound.reporters.audit_registry import FORMATS, reporter
from racehound.reporters.audit_text import render_violation

CONTRACT = {
    "version", "score", "commands", "schedules", "violations", "refused", "serial", "crash_points", "checks",
}  # fmt: skip


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_says_what_matters(name: str) -> None:
    text = reporter(name)(an_audit())

    for word in (
        "lost update",
        "work/c.json: k2",
        "rh1-abc",
        "seccomp",
        "network is not blocked",
        "/var/elsewhere",
    ):
        assert word in text
    for word in ("append only", "RH405", "work/log: time", "open-exclusive work/c.lock", "Hold one lock."):
        assert word in text


@pytest.mark.parametrize("name", list(FORMATS))
def test_an_audit_without_trouble_can_be_shown(name: str) -> None:
    quiet = an_audit(
        score=3, violations=(), crash_points=(), flags=(), advice=(), masked=(), outside=(), sample=None, checks=()
    )

    assert reporter(name)(quiet)


def test_json_keeps_the_contract() -> None:
    document = json.loads(reporter("json")(an_audit()))

    assert set(document) >= CONTRACT
    assert set(document["violations"][0]) >= {"schedule", "point", "what", "lost", "token"}
    assert set(document["checks"][0]) >= {"id", "passed", "evidence"}
    assert document["commands"] == ["tool set k1 | v", "tool set k2 v", "tool set k1 v"]


def test_text_draws_the_calls_in_two_columns() -> None:
    lines = reporter("text")(an_audit()).splitlines()

    ours = next(line for line in lines if "open-read work/c.json" in line)
    theirs = next(line for line in lines if "rename work/t" in line)
    assert theirs.startswith("⇒")
    assert theirs.index("rename") > ours.index("open-read")


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_a_signal_comes_at_a_call_and_a_kill_after_it(name: str) -> None:
    killed = an_audit().crash_points[1]

    text = reporter(name)(an_audit(crash_points=(killed, replace(killed, signal="SIGTERM"))))

    assert "SIGKILL after open-exclusive" in text
    assert "SIGTERM at open-exclusive" in text


def test_text_lists_the_first_crash_points_and_counts_the_rest() -> None:
    bad = an_audit().crash_points[1]

    assert "and 4 more" in reporter("text")(an_audit(crash_points=(bad,) * 10))


def test_one_violation_can_be_shown_alone() -> None:
    assert render_violation(a_violation()).startswith("lost update: A before")
    assert "replay" not in render_violation(a_violation(token="", steps=(), lost=()))


def test_the_row_for_findings_has_the_shape_of_the_published_ones() -> None:
    cells = findings_row(an_audit()).strip("| ").split(" | ")

    assert cells[:5] == ["§15", "Race Conditions & Concurrency", "High", "0/3", "2026-01-02"]
    assert "lost update on schedule 1" in cells[5]


def test_a_bar_in_what_was_lost_does_not_end_a_cell() -> None:
    bars = an_audit(violations=(a_violation(detail="`work/f: line 'a | b'` is gone | for good"),))

    assert "line 'a \\| b'` is gone \\| for good |" in findings_row(bars)
    assert findings_row(bars).count(" | ") == 5


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_who_sees_a_schedule_for_the_first_time_is_told_what_the_arrow_means(name: str) -> None:
    words = " ".join(reporter(name)(an_audit()).split())

    assert "the turn passes to the other command" in words
    assert "1 leaves the next call stuck" in words


def test_html_does_not_break_the_word_that_says_whether_a_check_passed() -> None:
    page = reporter("html")(an_audit())

    assert ".checks td:nth-child(2) { white-space: nowrap;" in page
    assert '<table class="checks">' in page


def test_the_row_of_a_clean_tool_says_what_failed_or_that_nothing_did() -> None:
    assert "1 lost update" in findings_row(an_audit(violations=()))
    assert "every check passed" in findings_row(an_audit(violations=(), checks=()))


def test_the_block_for_trace_has_the_shape_of_the_published_ones() -> None:
    lines = trace_block(an_audit()).splitlines()

    assert lines[:3] == [
        "## §15 - Race Conditions & Concurrency",
        "**Date:** 2026-01-02",
        "**CLI version:** tool 1.2",
    ]
    assert lines[3] == "**Check command:** `tool set k1 | v` beside `tool set k2 v`"
    assert lines[4:6] == ["**Exit code:** 4", "**Score:** 0/3"]
    assert "**stdout** (first 20 lines):" in lines
    assert "held" in lines


class Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html_is_well_formed_and_escapes_what_it_shows() -> None:
    page = reporter("html")(an_audit(reason="<script>alert(1)</script>"))
    reader = Balanced()
    reader.feed(page)

    assert reader.open == []
    assert "<script>" not in page
    assert "http" not in page
