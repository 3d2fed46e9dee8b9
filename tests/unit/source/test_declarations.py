import ast
from textwrap import dedent
from typing import Annotated, get_type_hints

import pytest

import racehound
from racehound.source.declarations import declarations


def declared(text: str) -> dict[str, str]:
    code = dedent(text)
    found = declarations(code, ast.parse(code))
    return {f"{item.owner}.{item.field}" if item.owner else item.field: item.lock for item in found}


@pytest.mark.parametrize(
    "comment",
    [
        "# guarded_by: _lock",
        "# guarded_by: self._lock",
        "# guarded_by(_lock)",
        '# racehound: guarded_by("_lock")',
        "# the newest ones, guarded_by: _lock, since 3.0",
    ],
)
def test_comment_names_the_lock_of_a_field(comment: str) -> None:
    assert declared(f"class C:\n    x = 0  {comment}\n    y = 1\n") == {"C.x": "_lock"}
    assert declared(f"class C:\n    {comment}\n    x = 0\n    y = 1\n") == {"C.x": "_lock"}


@pytest.mark.parametrize(
    ("annotation", "lock"),
    [
        ("\"Annotated[int, guarded_by('_lock')]\"", "_lock"),
        ("'Annotated[int, racehound.confined]'", ""),
        ("' Annotated[int, confined(\"loop\")]'", ""),
    ],
)
def test_annotation_may_be_a_text(annotation: str, lock: str) -> None:
    assert declared(f"class C:\n    x: {annotation}\n    y: 'confined ('\n") == {"C.x": lock}


@pytest.mark.parametrize(
    "comment", ["# racehound: confined", '# racehound: confined("loop")', "#racehound:confined"]
)
def test_comment_confines_a_field(comment: str) -> None:
    assert declared(f"X = []  {comment}\nY = 1\n") == {"X": ""}


def test_fields_are_declared_where_they_are_assigned() -> None:
    text = """
        class Outer:
            class Inner:
                def __init__(this, other):
                    if other:
                        this.x = this.y = 0  # guarded_by: lock
                    with other:
                        this.z: int = (
                            1
                        )  # guarded_by: lock
                    other.w = 3  # guarded_by: lock
                    local = 4  # guarded_by: lock

            @staticmethod
            def nothing():
                local = 1  # guarded_by: lock

        def function():
            local = 1  # guarded_by: lock
        """

    assert declared(text) == {"Outer.Inner.x": "lock", "Outer.Inner.y": "lock", "Outer.Inner.z": "lock"}


def test_annotation_declares() -> None:
    text = """
        class C:
            a: Annotated[int, guarded_by("_lock")]
            b: typing.Annotated[int, racehound.guarded_by("self._lock")] = 1
            c: Annotated[int, confined]
            d: Annotated[int, racehound.confined("loop")]
            e: int
            f: Annotated[int, guarded_by(lock)]
            g: Annotated[int, other[0]]  # guarded_by: _g
            h: Annotated[int, guarded_by(lock="_lock")]
        """

    assert declared(text) == {"C.a": "_lock", "C.b": "_lock", "C.c": "", "C.d": "", "C.g": "_g", "C.h": "_lock"}


@pytest.mark.parametrize("text", ["x = 'guarded_by: _lock'\n", "x = 1  # confined\n", "x = 1\n"])
def test_other_words_declare_nothing(text: str) -> None:
    assert declared(text) == {}


def test_markers_can_be_read_again_and_do_nothing() -> None:
    class Stock:
        count: Annotated[int, racehound.guarded_by("_lock")] = 0
        seen: Annotated[int, racehound.confined] = 0
        loop: Annotated[int, racehound.confined("loop")] = 0

    hints = get_type_hints(Stock, include_extras=True)
    assert [repr(hint.__metadata__[0]) for hint in hints.values()] == [
        "guarded_by('_lock')",
        "confined",
        "confined('loop')",
    ]
