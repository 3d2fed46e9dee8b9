"""A finding moves with its lines, or it is given up."""

from dataclasses import replace

import pytest

from racehound.model.finding import Access, Confidence, Finding, Grade, Subject
from racehound.model.location import Location
from racehound.model.rule import Severity
from racehound.pipeline.moving import Lost, Moves
from racehound.source.events import Span

BEFORE = "a = 1\nb = 2\n"
AFTER = f"# so\n{BEFORE}"
SPANS = [(Span(1, 0, 1, 5), Span(2, 0, 2, 5)), (Span(2, 0, 2, 5), Span(3, 0, 3, 5))]


def at(line: int, path: str = "a.py") -> Access:
    place = Location(path=path, line=line, column=1, end_line=line, end_column=6)
    return Access(location=place, function="f", action="writes", target="a", context="a thread started at a.py:2")


FINDING = Finding(
    rule="RH102",
    name="rule",
    location=at(1).location,
    severity=Severity.ERROR,
    confidence=Confidence.LIKELY,
    grade=Grade.GIL,
    message="seen in line 2",
    race_type="race",
    trigger="of b/a.py:1 and a.py:1",
    impact="harm",
    evidence="a = 1  # line 1\nb = 2  # line 2",
    first=at(1),
    second=at(2),
    subject=Subject(path="a.py", class_name=None, functions=("f",), fields=("a",)),
    fingerprint="00",
    doubt="No two threads are seen.",
)


def moves(before: str = BEFORE, after: str = AFTER) -> Moves:
    return Moves("a.py", before, after, SPANS)


def test_finding_moves_with_its_lines() -> None:
    (moved,) = moves().all([FINDING])

    assert moved.location.line == 2
    assert (moved.first.location.line, moved.second.location.line) == (2, 3)
    assert moved.message == "seen in line 3"
    assert moved.trigger == "of b/a.py:1 and a.py:2"
    assert moved.evidence == "a = 1  # line 2\nb = 2  # line 3"
    assert moved.first.context == "a thread started at a.py:3"


def test_finding_about_other_files_stays() -> None:
    other = replace(FINDING, location=at(7, "b.py").location, first=at(7, "b.py"), second=at(8, "b.py"))

    (moved,) = moves().all([other])

    assert moved.message == FINDING.message
    assert moved.location == other.location


UNTELLABLE = {
    "line of one of two files": replace(FINDING, second=at(2, "b.py")),
    "row of another file": replace(FINDING, evidence="c = 3  # line 1"),
    "function called by its place": replace(FINDING, first=replace(at(1), function="<lambda:1:4>")),
    "line of which nothing is known": replace(FINDING, location=at(3).location),
    "place of which nothing is known": replace(FINDING, location=replace(at(1).location, column=3)),
}


@pytest.mark.parametrize("finding", UNTELLABLE.values(), ids=UNTELLABLE.keys())
def test_finding_whose_place_cannot_be_told_is_given_up(finding: Finding) -> None:
    with pytest.raises(Lost):
        moves().all([finding])


def test_source_that_speaks_of_lines_itself_is_given_up() -> None:
    with pytest.raises(Lost):
        moves(f"{BEFORE}# line 2\n", f"{AFTER}# line 2\n").all([FINDING])


def test_line_that_says_something_else_is_given_up() -> None:
    with pytest.raises(Lost):
        moves(after=AFTER.replace("1", "9")).all([FINDING])


def test_findings_that_their_wording_puts_in_order_are_given_up() -> None:
    with pytest.raises(Lost):
        moves().all([FINDING, replace(FINDING, message="seen")])


def test_place_that_has_not_moved_needs_no_other_sign() -> None:
    still = Moves("a.py", BEFORE, f"{BEFORE}# so\n", [(span, span) for span, _ in SPANS])
    finding = replace(FINDING, location=replace(FINDING.location, column=3))

    assert still.all([finding]) == (finding,)
