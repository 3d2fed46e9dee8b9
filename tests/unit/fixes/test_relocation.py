"""Where a finding is in a text that another patch has changed."""

from dataclasses import replace

import pytest

from drivers.reports import finding
from racehound.fixes.editing.relocation import moved
from racehound.model.finding import Finding
from racehound.model.location import Location

BEFORE = "import os\n\n\ndef one():\n    first()\n    second()\n"


def at(line: int, column: int, end_column: int) -> Finding:
    made = finding()
    place = Location(path="m.py", line=line, column=column, end_line=line, end_column=end_column)
    return replace(
        made,
        location=place,
        first=replace(made.first, location=place),
        second=replace(made.second, location=replace(place, path="other.py")),
        further=(replace(made.first, location=place),),
    )


def test_nothing_moves_in_the_same_text() -> None:
    accused = at(6, 5, 13)

    assert moved(accused, BEFORE, BEFORE) is accused


@pytest.mark.parametrize(
    ("after", "line", "column", "end_column"),
    [
        ("import os\nimport sys\n\n\ndef one():\n    first()\n    second()\n", 7, 5, 13),
        ("import os\n\n\ndef one():\n    with lock:\n        first()\n        second()\n", 7, 9, 17),
    ],
    ids=["further down", "further in"],
)
def test_place_moves_with_its_line(after: str, line: int, column: int, end_column: int) -> None:
    accused = moved(at(6, 5, 13), BEFORE, after)

    assert accused is not None
    place = Location(path="m.py", line=line, column=column, end_line=line, end_column=end_column)
    assert accused.location == accused.first.location == accused.further[0].location == place
    assert accused.second.location == at(6, 5, 13).second.location


def test_line_that_was_changed_is_lost() -> None:
    assert moved(at(6, 5, 13), BEFORE, BEFORE.replace("second()", "third()")) is None
