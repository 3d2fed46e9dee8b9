from dataclasses import replace

import pytest

from drivers.reports import INCONCLUSIVE, RACE, step
from racehound.model.proof import Outcome
from racehound.reporters import wording
from racehound.reporters.columns import columns


@pytest.mark.parametrize("length", [20, 21, 22, 60])
def test_long_text_loses_its_middle_and_keeps_its_ends(length: int) -> None:
    clipped = wording.clip("first " + "word " * 50 + "last", length)

    assert len(clipped) <= length
    assert clipped.startswith("first")
    assert clipped.endswith("last")


def test_short_text_is_put_on_one_line() -> None:
    assert wording.clip("a\n  b", 20) == "a b"


def test_operations_of_one_line_share_a_row_until_another_task_goes_on() -> None:
    rows = list(wording.rows(RACE.timeline, length=60))

    assert [(row.task, row.place, len(row.operations), row.switch) for row in rows] == [
        (0, "12", 1, False),
        (1, "12", 1, True),
        (1, "13", 2, False),
        (0, "13", 1, True),
    ]


def test_line_names_its_file_where_there_are_several() -> None:
    elsewhere = replace(step(1, 12, "read", "5"), path="shop/till.py")

    places = [row.place for row in wording.rows((step(0, 12, "read", "5"), elsewhere), length=60)]

    assert places == ["stock_room.py:12", "till.py:12"]


def test_operation_without_a_value_is_named_alone() -> None:
    assert wording.operation(step(0, 12, "acquire", ""), 60) == ["acquire self._count"]
    assert wording.operation(step(0, 12, "iterate", "2 items"), 60) == ["iterate self._count · 2 items"]


@pytest.mark.parametrize(
    ("length", "lines"),
    [
        (60, ["read self._failures['payments'] → Failures(count= … yments')"]),
        (36, ["read self._failures['payments']", "  → Failures(count=1, o … payments')"]),
        (24, ["read self._failures['pay", "  ments']", "  → Failures(co … ents')"]),
    ],
)
def test_value_is_cut_and_the_name_is_not(length: int, lines: list[str]) -> None:
    read = replace(step(0, 12, "read", "Failures(count=1, owner='payments')"), target="self._failures['payments']")

    assert wording.operation(read, length) == lines
    assert max(map(len, lines)) <= length


def test_name_too_long_for_a_line_is_whole_without_a_value() -> None:
    released = replace(step(0, 12, "release", ""), target="self._lock_of_all_failures")

    assert wording.operation(released, 28) == ["release", "  self._lock_of_all_failures"]


def test_outcome_without_state_tells_its_results() -> None:
    assert wording.outcome(Outcome(results=("None", "None"), state=""), 60) == "results None, None"


def test_verdict_that_is_no_race_says_what_cut_the_search_short() -> None:
    assert "inconclusive after 1 execution: the code ended" in wording.unproven(INCONCLUSIVE)


def test_columns_of_a_message_put_each_task_in_its_own() -> None:
    lines = columns(RACE.timeline, width=80)

    assert lines[0].split() == ["line", "task", "1", "task", "2"]
    assert lines[1].index("count") == lines[0].index("task 1")
    assert lines[3].startswith("=>")
    assert lines[3].index("count") == lines[0].index("task 2")
    assert max(map(len, lines)) <= 80


def test_no_timeline_has_no_columns() -> None:
    assert columns(()) == []


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("subject.add(1)", "subject.add(1)"),
        (
            "(await (block := subject).__aenter__(), await block.__aexit__(None, None, None))[0]",
            "async with subject: ...",
        ),
        (
            "((taken := await (held := subject).lock()), (yield), taken is False or held.unlock())[0]",
            "await subject.lock(); ...; subject.unlock()",
        ),
    ],
)
def test_call_is_spoken_of_as_it_is_written_by_people(call: str, said: str) -> None:
    assert wording.spoken(call) == said
