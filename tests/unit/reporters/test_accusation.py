"""The sentences of a finding: nothing twice, nothing that says nothing, and what to do about it."""

from dataclasses import replace

import pytest

from drivers.reports import finding
from racehound.model.checklist import Answer, Checklist, Question
from racehound.model.finding import Access, Confidence, Finding
from racehound.model.patch import Patch, Safety
from racehound.model.report import Case, Report
from racehound.reporters.accusation import access, facts, told
from racehound.reporters.registry import FORMATS, reporter


def bare(item: Access) -> Access:
    return replace(item, locks=())


def unlocked() -> Finding:
    one = finding()
    return replace(one, first=bare(one.first), second=bare(one.second))


def test_that_no_lock_is_held_is_said_beside_one_that_holds_some() -> None:
    one = finding()

    assert access(one.first, one.second).endswith(", holding no lock")
    assert access(one.second, one.first).endswith(", holding `self._lock`")
    assert "holding" not in access(bare(one.first), bare(one.second))


def test_of_state_without_any_lock_it_is_said_once() -> None:
    assert dict(facts(unlocked()))["lock"] == "neither of the two holds a lock"


def test_a_lock_is_not_missed_where_one_thread_breaks_it_alone() -> None:
    assert "lock" not in dict(facts(replace(unlocked(), rule="RH104")))


def test_where_there_is_no_state_locks_are_no_matter() -> None:
    one = unlocked()

    assert "lock" not in dict(facts(replace(one, subject=replace(one.subject, fields=()))))


@pytest.mark.parametrize("changes", [{"locks": ("self._lock",)}, {"target": "self._lock"}])
def test_lock_that_the_accused_operation_has_itself_is_not_that_of_others(changes: dict[str, object]) -> None:
    one = unlocked()
    first = replace(one.first, **changes)  # type: ignore[arg-type]  # two fields, of which each has its own type

    assert "lock" not in dict(facts(replace(one, first=first, subject=replace(one.subject, lock="_lock"))))


def test_operation_that_meets_itself_is_told_once() -> None:
    one = finding()

    assert dict(facts(replace(one, second=one.first)))["second"].startswith(
        "the same operation, in another thread"
    )


@pytest.mark.parametrize(
    ("target", "told_as"),
    [
        ("a temporary file", "updates a temporary file ("),
        ("its number", "updates its number ("),
        ("a if b else c", "updates `a if b else c` ("),
        ("self._count", "updates `self._count` ("),
    ],
)
def test_only_code_is_marked_as_code(target: str, told_as: str) -> None:
    assert told_as in access(replace(finding().first, target=target))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_for_people_says_what_to_do(name: str) -> None:
    remedied = replace(finding(), remedy="Hold one lock over both.")

    output = reporter(name)(Report(cases=(Case(finding=remedied),)))

    assert ("Hold one lock over both." in output) == (name != "json")  # whose keys are a contract


def test_each_line_of_one_text_is_a_sentence_of_its_own() -> None:
    lines = told(
        replace(
            finding(),
            confidence=Confidence.LIKELY,
            doubt="It may not be shared.",
            remedy="Hold one lock over both.",
        )
    )

    assert all(line[0].isupper() or line[0] == "`" for line in lines)
    assert [line.partition(":")[0] for line in lines[1:-1]] == [
        "First",
        "Second",
        "Trigger",
        "Impact",
        "Doubt",
        "Remedy",
    ]


def test_page_shows_code_as_code_and_can_be_scrolled_by_keys() -> None:
    question = Question(text="Is `a < b`?", answer=Answer.NO, reason="no lock: `self._items`", is_good=False)
    sheet = Checklist(title="Locks", questions=(question,))
    diff = "--- a/a.py\n+++ b/a.py\n-a\n+b"
    patch = Patch(path="a.py", before="a\n", after="b\n", diff=diff, summary="s", safety=Safety.SAFE)

    page = reporter("html")(Report(cases=(Case(finding=finding(), patch=patch),), checklists=(sheet,)))

    assert "no lock: <code>self._items</code>" in page
    assert page.count('<div class="frame"') == page.count('<div class="frame" tabindex="0">') > 0
    assert "<span>--- a/a.py</span><span>+++ b/a.py</span>" in page
    assert '<span class="cut">-a</span><span class="add">+b</span>' in page
