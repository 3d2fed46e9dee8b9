"""Other arguments of which code makes the same."""

import ast

import pytest

from racehound.scenario.spelling import spelt_otherwise


@pytest.mark.parametrize(
    ("code", "value", "expected"),
    [
        ("name.lower()", "a", ["A"]),
        ("name.strip().casefold()", "a", ["A", " a "]),
        ("name.split('.')[0]", "a", ["a.b"]),
        ("name.partition(sep)", "a", []),
        ("name.split()", "a", ["a b"]),
        ("name[0]", "a", ["ab"]),
        ("name[1]", "a", []),
        ("name % 8", 1, [9]),
        ("name % other", 1, []),
        ("name % 8", "a", []),
        ("other.lower()", "a", []),
        ("other % 8", 1, []),
        ("name.lower()", 1, []),
        ("name[0]", 1, []),
        ("name.format(1)", "a", []),
        ("make().lower()", "a", []),
    ],
)
def test_what_is_made_the_same_of(code: str, value: object, expected: list[object]) -> None:
    assert list(spelt_otherwise(ast.parse(code), "name", value)) == expected
