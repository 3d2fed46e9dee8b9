"""Paths below places for temporary files."""

import ast
from pathlib import Path

import pytest

from racehound.instrument.elsewhere import VARIABLE, moved


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("/tmp/no-such.pid", "no-such.pid"),
        ("/var/run/no-such/tool.sock", "no-such/tool.sock"),
        ("/tmp/", None),
        ("/tmp/a text about it", None),
        ("/srv/tool.pid", None),
        ("tool.pid", None),
    ],
)
def test_a_path_is_taken_for_one_of_the_scratch_directory(
    text: str, place: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "/scratch")

    tree = moved(ast.parse(f"PID = {text!r}"))

    assert ast.unparse(tree) == f"PID = {text if place is None else f'/scratch/{place}'!r}"


def test_what_is_there_stays_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/scratch")
    monkeypatch.setattr("racehound.instrument.elsewhere.PLACES", (f"{tmp_path}/",))
    (tmp_path / "there").touch()

    tree = moved(ast.parse(f"a = '{tmp_path}/there'; b = '{tmp_path}/not'"))

    assert ast.unparse(tree) == f"a = '{tmp_path}/there'\nb = '/scratch/not'"


def test_without_a_scratch_directory_nothing_is_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)

    assert ast.unparse(moved(ast.parse("a = '/tmp/no-such.pid'"))) == "a = '/tmp/no-such.pid'"
