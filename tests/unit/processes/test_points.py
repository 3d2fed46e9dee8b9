"""The points of a run are found again in the next one."""

import pytest

from racehound.processes.calls import CHANGING, FileCall
from racehound.processes.command import Command
from racehound.processes.points import points_of
from racehound.processes.run import interleave, observe
from racehound.processes.sandbox import Sandbox


def calls(*texts: str) -> list[FileCall]:
    counts: dict[str, int] = {}
    found = []
    for text in texts:
        name, path = text.split()
        counts[text] = counts.get(text, 0) + 1
        found.append(FileCall(name=name, path=path, mutating=name in CHANGING, occurrence=counts[text], process=1))
    return found


def test_without_a_second_run_names_are_taken_as_they_are() -> None:
    assert [str(point) for point in points_of(calls("write work/a", "write work/a[1]", "write work/a"))] == [
        "write work/a #1",
        "write work/a[[]1] #1",
        "write work/a #2",
    ]


def test_a_drawn_name_becomes_a_pattern_and_counts_what_fits() -> None:
    once = calls("open-exclusive work/conf.8fk2.tmp", "write work/conf.8fk2.tmp", "rename work/conf")
    again = calls("open-exclusive work/conf.z01q.tmp", "write work/conf.z01q.tmp", "rename work/conf")

    assert [str(point) for point in points_of(once, again)] == [
        "open-exclusive work/conf.*.tmp #1",
        "write work/conf.*.tmp #1",
        "rename work/conf #1",
    ]


def test_letters_that_two_draws_share_by_chance_are_no_part_of_the_pattern() -> None:
    (point,) = points_of(calls("write work/sedPqr"), calls("write work/sedPxr"))

    assert all(point.matches(call) for call in calls("write work/sedPqr", "write work/sedAbc"))


def test_a_drawn_directory_becomes_a_pattern() -> None:
    (point,) = points_of(calls("mkdir tmp/tool-a81/x"), calls("mkdir tmp/tool-zz9/x"))

    assert str(point) == "mkdir tmp/tool-*/x #1"


def test_a_pattern_counts_other_names_that_fit() -> None:
    once = calls("write work/xa", "write work/x1", "write work/xb")
    again = calls("write work/xa", "write work/y2", "write work/xb")

    assert [str(point) for point in points_of(once, again)] == [
        "write work/xa #1",
        "write work/* #2",
        "write work/xb #1",
    ]


def test_a_name_that_only_one_run_has_is_taken_as_it_is() -> None:
    points = points_of(calls("write work/a", "mkdir work/b"), calls("write work/a"))

    assert str(points[1]) == "mkdir work/b #1"


@pytest.mark.slow
def test_every_point_of_a_tool_that_draws_names_is_reached_again(sandbox: Sandbox) -> None:
    command = Command(("sed", "-i", "$a one", "f"))
    (sandbox.work / "f").write_text("base\n")
    sandbox.keep_as_golden()
    runs = []
    for _ in range(2):
        sandbox.restore()
        runs.append(observe(command, sandbox, timeout=30).calls)

    reached = []
    for point in points_of(*runs)[1:]:
        sandbox.restore()
        reached.append(interleave(command, Command(("true",)), sandbox, point, timeout=30).reached)

    assert all(reached)
