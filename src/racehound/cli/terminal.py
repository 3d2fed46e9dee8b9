"""What the output goes to: how wide it is, whether it takes colour, which characters it can show."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from racehound.errors import UsageError

PLAIN_WIDTH = 100
"""For files and pipes, so that the same report has the same lines everywhere."""
WIDEST = 140


@dataclass(frozen=True, slots=True)
class Terminal:
    width: int = PLAIN_WIDTH
    color: bool = False


def terminal() -> Terminal:
    """Of standard output; `NO_COLOR` and `FORCE_COLOR` have the last word."""
    interactive = sys.stdout.isatty()
    wanted = bool(os.environ.get("FORCE_COLOR")) or (interactive and os.environ.get("TERM") != "dumb")
    width = min(shutil.get_terminal_size().columns, WIDEST) if interactive else PLAIN_WIDTH
    return Terminal(width, wanted and not os.environ.get("NO_COLOR"))


_SIMPLE = str.maketrans("─━│·→⇒←…", "--|->><~")
"""What stands for the signs of reports where the encoding has none; columns stay where they are."""


def show(text: str) -> None:
    """Print, with plainer signs or question marks for what the output's encoding does not have."""
    encoding = sys.stdout.encoding or "utf-8"
    if not _has(encoding, text):
        text = "".join(sign if _has(encoding, sign) else sign.translate(_SIMPLE) for sign in text)
    try:
        click.echo(text.encode(encoding, "replace").decode(encoding), nl=False, color=True)
    except BrokenPipeError:  # whoever read it has seen enough
        raise
    except OSError as error:
        raise UsageError(f"cannot write to standard output: {error.strerror}") from error


def _has(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def note(text: str) -> None:
    """A line for the person at the terminal; standard output belongs to the report."""
    from racehound.reporters.printable import printable  # noqa: PLC0415 - most runs have nothing to say

    flat = printable(" ".join(text.split()))
    click.echo(f"racehound: {flat.encode('utf-8', 'backslashreplace').decode('utf-8')}", err=True)


@contextmanager
def counting(verb: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error for work that takes a while, where a person sits at the terminal."""
    if not sys.stderr.isatty() or total == 0:
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import, and most runs need none
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    # Where no line can be drawn over, empty ones would be left behind.
    with Progress(*columns, console=console, transient=True, disable=console.is_dumb_terminal) as bar:
        task = bar.add_task(verb, total=total)
        yield lambda done: bar.update(task, completed=done)


PATIENCE = 2.0
"""Seconds after which a person wants to see that something is going on."""


@contextmanager
def patience() -> Iterator[Callable[[str, int, int], None]]:
    """A bar that comes only where the work goes on for a while.

    It is told what is being done, how much of it is done, and of how much.
    """
    if not sys.stderr.isatty():
        yield lambda _verb, _done, _total: None
        return
    with ExitStack() as open_:
        yield _Late(open_).show


class _Late:
    def __init__(self, open_: ExitStack) -> None:
        self._open = open_
        self._since = time.monotonic()
        self._verb = ""
        self._update: Callable[[int], None] | None = None

    def show(self, verb: str, done: int, total: int) -> None:
        if time.monotonic() - self._since <= PATIENCE:
            return
        if self._update is None or verb != self._verb:
            self._open.close()  # the bar of what was done before
            self._update = self._open.enter_context(counting(verb, total))
            self._verb = verb
        self._update(done)


def check_here() -> None:
    """Complain of a current directory that somebody has removed: no path can be told there."""
    try:
        Path.cwd()
    except OSError as error:
        raise UsageError(
            f"the current directory cannot be told: {error.strerror}", hint="change to one that is there"
        ) from error


def check_output(path: str | None) -> None:
    """Complain before the work begins, not after it."""
    if path is not None and not os.path.isdir(Path(path).absolute().parent):  # noqa: PTH112 - does not raise
        raise UsageError(f"cannot write {path}: its directory does not exist", hint="make the directory first")


def save(path: str, text: str) -> None:
    try:
        # Names of files need not be text; what UTF-8 does not have is spelled out.
        Path(path).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(
            f"cannot write {path}: {error.strerror}", hint="name a file that can be written"
        ) from error
