import re

import pytest

from racehound.source.globs import translate
from racehound.source.ignorefile import IgnoreFile


def verdict(patterns: str, path: str) -> bool | None:
    is_directory = path.endswith("/")
    path = path.rstrip("/")
    return IgnoreFile("", patterns.split("\n")).excludes(path, path.rpartition("/")[2], is_directory=is_directory)


@pytest.mark.parametrize(
    ("patterns", "path"),
    [
        ("*.py", "a.py"),
        ("*.py", "deep/down/a.py"),
        ("/a.py", "a.py"),
        ("src/*.py", "src/a.py"),
        ("generated/", "src/generated/"),
        ("src/generated/", "src/generated/"),
        ("**/old", "very/deep/old"),
        ("**/old", "old"),
        ("src/**", "src/a/b.py"),
        ("src/**/a.py", "src/a.py"),
        ("src/**/a.py", "src/b/c/a.py"),
        ("a?.py", "ab.py"),
        ("a[bc].py", "ac.py"),
        ("a[!bc].py", "ad.py"),
        ("a[^bc].py", "ad.py"),
        ("a[b-d].py", "ac.py"),
        ("a[]].py", "a].py"),
        ("a[.py", "a[.py"),
        ("a[z-a].py", "a[z-a].py"),
        (r"\#a.py", "#a.py"),
        (r"\!a.py", "!a.py"),
        ("a.py   ", "a.py"),
        ("a\\ ", "a "),
        ("# comment\n\n  \na.py\r", "a.py"),
        ("!a.py\n*.py", "a.py"),
        ("foo**bar", "fooxbar"),
        ("a+b(c).py", "a+b(c).py"),
        ("trailing\\", "trailing\\"),
    ],
)
def test_path_is_excluded(patterns: str, path: str) -> None:
    assert verdict(patterns, path) is True


@pytest.mark.parametrize(
    ("patterns", "path"),
    [
        ("*.py", "a.pyc"),
        ("/a.py", "src/a.py"),
        ("src/*.py", "src/deep/a.py"),
        ("src/*.py", "other/src/a.py"),
        ("generated/", "generated"),
        ("src/generated/", "src/generated"),
        ("a?c", "a/c"),
        ("a[!b]c", "a/c"),
        ("a[bc].py", "ad.py"),
        ("#a.py", "a.py"),
        ("/", "a"),
    ],
)
def test_path_is_not_spoken_of(patterns: str, path: str) -> None:
    assert verdict(patterns, path) is None


def test_later_pattern_takes_back_an_earlier_one() -> None:
    patterns = "*.py\n!keep.py\nkeep.py/deep\n!*_test.py"

    assert verdict(patterns, "keep.py") is False
    assert verdict(patterns, "a_test.py") is False
    assert verdict(patterns, "a.py") is True


def test_patterns_are_relative_to_their_directory() -> None:
    rules = IgnoreFile("home/project", ["/build", "*.txt"])

    assert rules.excludes("home/project/build", "build", is_directory=True)
    assert rules.excludes("home/project/a/b.txt", "b.txt", is_directory=False)
    assert rules.excludes("home/project/src/build", "build", is_directory=True) is None


@pytest.mark.parametrize(
    "pattern", ["a[b&&c]", "a[b~~c]", "a[b||c]", "a[--0]", "[[:alpha:]]", "*[", "**", "***", "a[\\]"]
)
def test_every_pattern_becomes_an_expression_without_a_warning(pattern: str) -> None:
    assert re.compile(translate(pattern)).groups == 0
