import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from rich.console import Console

from racehound.audit.request import Progress
from racehound.cli import terminal as terminal_module
from racehound.cli.commands.audit import advance, progress_bar
from racehound.cli.terminal import PATIENCE, PLAIN_WIDTH, WIDEST, Terminal, counting, patience, show, terminal


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_screen(monkeypatch: pytest.MonkeyPatch, **environment: str) -> Terminal:
    """What a test sees that runs in a terminal with these settings."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": "xterm", **environment}.items():
        monkeypatch.setenv(name, value)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", Screen())
        return terminal()


def test_terminal_has_colour_and_its_own_width(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_screen(monkeypatch, COLUMNS="90") == Terminal(90, color=True)


def test_very_wide_terminal_is_not_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert on_screen(monkeypatch, COLUMNS="400").width == WIDEST


@pytest.mark.parametrize(
    "environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}]
)
def test_terminal_without_colour(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> None:
    assert not on_screen(monkeypatch, **environment).color


def test_pipe_has_a_fixed_width_and_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")

    assert (terminal().width, terminal().color) == (PLAIN_WIDTH, False)


def test_colour_can_be_forced_into_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")

    assert terminal().color


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("ascii", "-- a - b > ?"), ("latin-1", "-- a · b > é"), ("utf-8", "── a · b ⇒ é")],
)
def test_output_gets_plainer_signs_and_question_marks_for_what_it_cannot_show(
    encoding: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))

    show("── a · b ⇒ é\n")
    sys.stdout.flush()

    assert raw.getvalue().decode(encoding) == f"{shown}\n"


@pytest.mark.parametrize(("kind", "is_drawn"), [("xterm", True), ("dumb", False), ("unknown", False)])
def test_terminal_that_moves_no_cursor_gets_no_bar(
    kind: str, is_drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", kind)
    monkeypatch.setattr(sys, "stderr", Screen())

    with counting("reading", 3) as progress:
        progress(1)

    assert isinstance(sys.stderr, Screen)
    assert bool(sys.stderr.getvalue()) is is_drawn


def test_an_audit_shows_what_is_done_and_left_of_each_stage_and_nothing_where_that_is_not_known() -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=100)
    bar = progress_bar(console)
    for step in (Progress("sibling keys", 3, 20), Progress("what the refused call says", 0, 0)):
        advance(bar, step)
        console.print(bar)
    counted, uncounted = screen.getvalue().splitlines()

    assert counted.startswith("sibling keys")
    assert "3/20" in counted
    assert uncounted.startswith("what the refused call says")
    assert "20" not in uncounted, "that was the total of the stage before"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


def test_bar_comes_late_and_tells_each_kind_of_work(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    shown: list[tuple[str, int, int]] = []

    @contextmanager
    def bar(verb: str, total: int) -> Iterator[Callable[[int], None]]:
        yield lambda done: shown.append((verb, done, total))
        shown.append((verb, total, total))

    monkeypatch.setattr(terminal_module, "time", clock)
    monkeypatch.setattr(terminal_module, "counting", bar)
    monkeypatch.setattr(sys, "stderr", Screen())
    with patience() as progress:
        progress("reading", 1, 9)
        clock.now = PATIENCE + 1
        progress("reading", 5, 9)
        progress("judging", 1, 4)

    assert shown == [("reading", 5, 9), ("reading", 9, 9), ("judging", 1, 4), ("judging", 4, 4)]
