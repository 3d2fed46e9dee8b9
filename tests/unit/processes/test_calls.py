"""Points have a text form, and are found again where names are drawn anew."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from racehound.errors import UsageError
from racehound.processes.calls import CHANGING, KINDS, LOCKING, READING, Detail, FileCall, Point, detail_of


def call(name: str, path: str, *, occurrence: int = 1, other_path: str = "") -> FileCall:
    return FileCall(
        name=name, path=path, other_path=other_path, mutating=name in CHANGING, occurrence=occurrence, process=1
    )


@given(some.sampled_from(sorted(KINDS)), some.text(min_size=1), some.integers(min_value=1, max_value=9999))
def test_a_point_is_read_back_from_its_text(kind: str, path: str, occurrence: int) -> None:
    point = Point(kind, path, occurrence)

    assert Point.parse(str(point)) == point


@pytest.mark.parametrize("text", ["", "rename work/f", "rename work/f #0", "paint work/f #1", "rename  #1"])
def test_another_text_is_no_point(text: str) -> None:
    with pytest.raises(UsageError, match="is no point"):
        Point.parse(text)


@pytest.mark.parametrize("path", ["work/f", "work/a[1]*?.json"])
def test_the_point_of_a_call_matches_it_and_no_other_path(path: str) -> None:
    point = call("write", path, occurrence=3).point

    assert point.occurrence == 3
    assert point.matches(call("write", path))
    assert not point.matches(call("write", "work/a1xy.json"))
    assert not point.matches(call("rename", path))


def test_a_star_stands_for_the_drawn_part_of_a_name() -> None:
    point = Point("write", "work/sed*")

    assert point.matches(call("write", "work/sedKjH2a1"))
    assert not point.matches(call("write", "work/other"))


def test_every_kind_belongs_to_one_group_and_has_its_detail() -> None:
    assert not READING & CHANGING
    assert not LOCKING & (READING | CHANGING)
    assert {detail_of(kind) for kind in CHANGING | LOCKING} == {Detail.CHANGES}
    assert detail_of("open-read") == Detail.OPENS
    assert detail_of("stat") == Detail.ALL


def test_a_call_says_where_it_leads() -> None:
    rename = call("rename", "work/conf.json", other_path="work/new")

    assert str(rename) == "rename work/new -> work/conf.json"
    assert rename.paths == ("work/conf.json", "work/new")
    assert str(call("unlink", "work/f")) == "unlink work/f"
    assert call("unlink", "work/f").paths == ("work/f",)
    assert call("flock", "work/f").locking
    assert not call("unlink", "work/f").locking
