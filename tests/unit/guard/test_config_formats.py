"""What the formats keep of a file, and that what is written reads back the same."""

from __future__ import annotations

import datetime as dt
import enum
import importlib.util
import math
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from racehound.guard import format_ini, format_json, format_toml, toml_writer

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = (
    TEXT
    | st.integers(-(2**63), 2**63 - 1)
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.dates()
    | st.times()
    | st.datetimes()
    | st.datetimes(timezones=st.just(dt.UTC))
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=12
)
DOCUMENTS = st.dictionaries(TEXT, VALUES, max_size=4)

WITH_COMMENTS = """\
# about the tool
title = "x"  # said once

[server]   # where
port = 80
# the last word
host = "a"
"""


@settings(deadline=None)
@given(DOCUMENTS)
def test_toml_reads_back_what_was_written(document: dict[str, Any]) -> None:
    assert tomllib.loads(toml_writer.write(document)) == document


@settings(deadline=None)
@given(DOCUMENTS, DOCUMENTS)
def test_toml_becomes_what_is_wanted_whatever_was_there(before: dict[str, Any], after: dict[str, Any]) -> None:
    old = toml_writer.write(before)
    assert format_toml.load(format_toml.dump(after, old)) == after


def test_toml_has_all_kinds_of_tables_in_readable_form() -> None:
    document = {
        "a": 1,
        "empty": {},
        "nested": {"only": {"tables": {"x": 1.5}}},
        "array": [{"x": 1}, {"y": {"z": [1, {"q": 2}, {}]}}],
        "tuple": (1, 2),
        "weird key": 'quote" back\\ tab\t line\n \x01 \x7f',
        "": "",
        "numbers": [math.inf, -math.inf],
    }
    assert toml_writer.write(document) == (
        'a = 1\ntuple = [1, 2]\n"weird key" = "quote\\" back\\\\ tab\\t line\\n \\u0001 \\u007f"\n"" = ""\n'
        "numbers = [inf, -inf]\n\n[empty]\n\n[nested.only.tables]\nx = 1.5\n\n[[array]]\nx = 1\n\n[[array]]\n\n"
        "[array.y]\nz = [1, { q = 2 }, {}]\n"
    )


def test_toml_has_nan_but_no_none_and_no_keys_but_text() -> None:
    assert math.isnan(tomllib.loads(toml_writer.write({"a": math.nan}))["a"])
    for wrong in ({"a": None}, {"a": [None]}, {1: 2}, {"a": [{1: 2}, 3]}):
        with pytest.raises(TypeError):
            toml_writer.write(wrong)  # type: ignore[arg-type]  # that is the point


@pytest.mark.skipif(importlib.util.find_spec("tomlkit") is None, reason="needs tomlkit to keep comments")
def test_toml_comments_and_order_survive_with_tomlkit() -> None:
    config = format_toml.load(WITH_COMMENTS)
    config["server"]["port"] = 8080
    config["server"]["new"] = True
    del config["title"]
    config["other"] = {"a": [1]}
    text = format_toml.dump(config, WITH_COMMENTS)

    assert format_toml.load(text) == config
    for kept in ("# about the tool", "[server]   # where", "# the last word\nhost", "port = 8080"):
        assert kept in text
    assert text.index("[server]") < text.index("[other]")


def test_toml_is_written_without_tomlkit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_toml, "find_spec", lambda _: None)
    assert format_toml.dump({"b": 1, "a": {"c": 2}}, WITH_COMMENTS) == "b = 1\n\n[a]\nc = 2\n"


@pytest.mark.skipif(importlib.util.find_spec("tomlkit") is None, reason="needs tomlkit")
def test_toml_that_tomlkit_gets_wrong_is_written_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tomlkit.dumps", lambda _: "wrong = 1\n")
    assert format_toml.dump({"a": 1}, "") == "a = 1\n"


JSON_VALUES = st.recursive(TEXT | st.integers() | st.none(), lambda values: st.lists(values, max_size=3))


@settings(deadline=None)
@given(st.dictionaries(TEXT, JSON_VALUES, max_size=4))
def test_json_reads_back_what_was_written(document: dict[str, Any]) -> None:
    assert format_json.load(format_json.dump(document, "")) == document


def test_json_keeps_order_and_indentation() -> None:
    assert format_json.dump({"b": 1, "a": "ü"}, '{\n    "x": 1\n}\n') == '{\n    "b": 1,\n    "a": "ü"\n}\n'
    assert format_json.dump({"b": 1}, '{\n\t"x": 1\n}\n') == '{\n\t"b": 1\n}\n'
    assert format_json.dump({"b": 1}, '{\n"x": 1\n}') == '{\n  "b": 1\n}\n'
    assert format_json.dump({"b": 1}, '{"x": 1}') == '{\n  "b": 1\n}\n'


INI = """\
; the head

[Server]
# which port
Port: 80
lines = one
    two
flag = yes

[empty]

[last]
x = 1
"""


def test_ini_comments_order_and_spelling_survive() -> None:
    config = format_ini.load(INI)
    assert config["Server"] == {"Port": "80", "lines": "one\ntwo", "flag": "yes"}
    config["Server"]["Port"] = 8080
    config["Server"]["new"] = True
    del config["Server"]["lines"]
    config["empty"]["rate"] = 2.5
    config["other"] = {"a": "b\nc"}
    del config["last"]

    assert format_ini.dump(config, INI) == (
        "; the head\n\n[Server]\n# which port\nPort = 8080\nflag = yes\nnew = true\n\n"
        "[empty]\nrate = 2.5\n\n[other]\na = b\n\tc\n"
    )


def test_ini_lines_of_unchanged_values_are_not_touched() -> None:
    assert format_ini.dump(format_ini.load(INI), INI) == INI
    config = format_ini.load(INI)
    config["last"]["x"] = "2"
    assert format_ini.dump(config, INI) == INI.replace("x = 1", "x = 2")


def test_ini_continued_values_are_replaced_as_a_whole() -> None:
    config = format_ini.load(INI)
    config["Server"]["lines"] = "three"
    assert "lines = three\nflag" in format_ini.dump(config, INI)


def test_ini_of_nothing_is_empty() -> None:
    assert format_ini.dump({}, "") == ""
    assert format_ini.dump({"a": {}}, "") == "[a]\n"
    assert format_ini.load("[a]\n") == {"a": {}}


NAMES = st.text("abcXYZ019_-. ", min_size=1, max_size=8).map(str.strip).filter(bool)
WORDS = st.text("abc =:#;%[]\"'ü1", max_size=12).map(str.strip)
SECTIONS = st.dictionaries(NAMES, st.dictionaries(NAMES, WORDS, max_size=4), max_size=3)


@settings(deadline=None)
@given(SECTIONS, SECTIONS)
def test_ini_becomes_what_is_wanted_or_is_refused(
    before: dict[str, dict[str, str]], after: dict[str, dict[str, str]]
) -> None:
    try:
        old = format_ini.dump(before, "")
        text = format_ini.dump(after, old)
    except ValueError:
        return
    assert format_ini.load(text) == after


def test_ini_line_ends_and_odd_characters_survive() -> None:
    old = "; top\r\n[s]\r\nk = v\r\nodd = a\u2028b\x0bc\r\n"
    new = format_ini.dump({"s": {"k": "1\n2", "odd": "a\u2028b\x0bc"}}, old)

    assert new == "; top\r\n[s]\r\nk = 1\r\n\t2\r\nodd = a\u2028b\x0bc\r\n"


def test_ini_may_be_indented_as_configparser_allows_it() -> None:
    old = "  [s]\n  a = 1\n  # about b\n  b = 2\n    more\n  c = 3\n"

    assert format_ini.load(old) == {"s": {"a": "1", "b": "2\nmore", "c": "3"}}
    new = format_ini.dump({"s": {"a": "1", "b": "two", "c": "3", "d": "4\n5"}}, old)
    assert new == "  [s]\n  a = 1\n  # about b\n  b = two\n  c = 3\n  d = 4\n  \t5\n"


def test_ini_says_how_to_name_a_section_with_a_dot() -> None:
    with pytest.raises(TypeError, match=r"give \['s.t', 'key'\]"):
        format_ini.dump({"s": {"t": {"k": "v"}}}, "")


@pytest.mark.skipif(importlib.util.find_spec("tomlkit") is None, reason="needs tomlkit to keep comments")
@pytest.mark.parametrize(
    ("value", "written"),
    [([True], "[true]"), ([1.0], "[1.0]"), ((2, 3), "[2, 3]")],
)
def test_toml_is_told_apart_by_type_and_keeps_its_comments(value: object, written: str) -> None:
    old = "# top\nlow = nan\na = [1]\n"

    assert format_toml.dump({"low": math.nan, "a": value}, old) == f"# top\nlow = nan\na = {written}\n"


class Level(int, enum.Enum):
    HIGH = 3


class Measured(float):
    def __repr__(self) -> str:
        return "Measured(1.5)"


def test_toml_of_classes_that_print_as_something_else_reads_back() -> None:
    assert toml_writer.write({"a": Level.HIGH, "b": Measured(1.5)}) == "a = 3\nb = 1.5\n"


@pytest.mark.parametrize("comments", [True, False])
@pytest.mark.parametrize(
    "value", [dt.time(12, tzinfo=dt.UTC), dt.datetime(2020, 1, 1, tzinfo=dt.timezone(dt.timedelta(seconds=30)))]
)
def test_toml_refuses_what_would_not_read_back(
    value: object, comments: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not comments:
        monkeypatch.setattr(format_toml, "find_spec", lambda _: None)
    with pytest.raises(ValueError, match="cannot hold"):
        format_toml.dump({"a": value}, "# said\n")


@pytest.mark.skipif(importlib.util.find_spec("tomlkit") is None, reason="needs tomlkit")
def test_toml_that_tomlkit_breaks_down_on_is_written_plainly() -> None:
    old = "[q.w]\n[e]\n[q.r]\n"
    assert format_toml.load(format_toml.dump({"q": {}, "e": {}}, old)) == {"q": {}, "e": {}}
    with pytest.raises(TypeError):
        format_toml.dump({"q": {}, "e": None}, old)


def test_toml_keeps_dates_of_other_classes() -> None:
    class Day(dt.date):
        pass

    assert format_toml.load(format_toml.dump({"a": Day(2020, 1, 2)}, "")) == {"a": dt.date(2020, 1, 2)}
