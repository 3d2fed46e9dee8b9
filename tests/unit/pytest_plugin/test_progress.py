"""What a person sees while a long search goes on."""

from types import SimpleNamespace
from typing import Any

import pytest

from racehound.pytest_plugin import progress
from racehound.pytest_plugin.progress import Progress


class Reporter:
    """As much of pytest's terminal reporter as is used, at a terminal."""

    isatty = True
    currentfspath = "test_it.py::test_it "

    def __init__(self, verbosity: int) -> None:
        self.verbosity = verbosity
        self.lines: list[str] = []

    def rewrite(self, line: str, *, erase: bool) -> None:
        assert erase
        self.lines.append(line)


def watched(reporter: Reporter) -> Progress:
    plugins = SimpleNamespace(getplugin={"terminalreporter": reporter}.get)
    item: Any = SimpleNamespace(config=SimpleNamespace(pluginmanager=plugins))
    return Progress(item)


@pytest.fixture(autouse=True)
def _every_call_is_a_second_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_now", iter(range(100)).__next__)


def test_executions_are_counted_and_the_line_is_left_as_it_was() -> None:
    reporter = Reporter(verbosity=1)
    shown = watched(reporter)
    for _ in range(2):
        shown.count()
    shown.close()

    assert reporter.lines == [
        "test_it.py::test_it 1 executions so far ",
        "test_it.py::test_it 2 executions so far ",
        "test_it.py::test_it ",
    ]


def test_nothing_is_shown_unless_asked_for() -> None:
    reporter = Reporter(verbosity=0)
    shown = watched(reporter)
    shown.count()
    shown.close()

    assert reporter.lines == []
