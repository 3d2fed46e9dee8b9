"""`racehound audit -- COMMAND`: can two calls of a command-line tool run in parallel?"""

# ruff: noqa: PLC0415 - what a command needs is loaded when it runs, so that help and version stay quick

import shlex
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from racehound.cli import exits
from racehound.cli.seconds import Seconds
from racehound.cli.terminal import check_output, save, show, terminal
from racehound.errors import UsageError
from racehound.reporters.audit_registry import FORMATS, reporter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console
    from rich.progress import Progress as Bar

    from racehound.audit.request import AuditRequest, Watch
    from racehound.audit.request import Progress as AuditProgress
    from racehound.model.audit import Audit

BEST = 3
LONGEST_STEPS = 600.0
"""Seconds over which the speed is taken: a schedule of a slow tool takes half a minute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    command: tuple[str, ...]
    first: str | None
    second: str | None
    setup: tuple[str, ...]
    view: str | None
    rounds: int | None
    budget: float
    patience: float
    session_flag: str
    directory: str | None
    deep: bool
    format: str
    output: str | None


@click.command(
    name="audit",
    short_help="Race two calls of a command-line tool and score how safe they are.",
    context_settings={"allow_interspersed_args": False},
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND")
@click.option("--a", "first", metavar="CMD", help="The first of two commands to race, in place of a template.")
@click.option("--b", "second", metavar="CMD", help="The second one.")
@click.option("--setup", multiple=True, metavar="CMD", help="Runs before each race, in the sandbox; repeat.")
@click.option("--view", metavar="CMD", help="Prints the state that counts. Default: all files, by content.")
@click.option("--directory", metavar="DIR", help="Copied into the sandbox's working directory first.")
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="Try at most so many schedules.")
@click.option(
    "--budget",
    type=Seconds(),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for the whole audit.",
)
@click.option("--deep", is_flag=True, help="Also schedules with two switches, and points that only read.")
@click.option(
    "--patience",
    type=Seconds(),
    default=12.0,
    show_default=True,
    metavar="SECONDS",
    help="How long a call may wait for a lock before that counts as without limit.",
)
@click.option(
    "--session-flag",
    default="--session-id",
    show_default=True,
    metavar="NAME",
    help="Option of the command that takes a session id; {session} in the command stands for the id itself.",
)
@click.option("--format", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@click.option("--output", metavar="FILE", help="Write the report to a file.")
def command(**values: object) -> int:
    """Race COMMAND against itself; {i} in it becomes a number, {key} a key, different in each call.

    \b
    racehound audit -- tool config set k{i} v{i}
    racehound audit --a 'tool add x' --b 'tool remove y' --setup 'tool init'

    The calls run in a private home and working directory. One is stopped before each of its calls on a file that
    both touch, the other runs, the first goes on; what they leave must be what one after the other leaves.
    Exit status: 0 for score 3, 1 below.
    """  # noqa: D301 - click reads the mark that keeps these lines as they are
    options = Options(**values)  # type: ignore[arg-type]  # click has checked each value by its option
    check_output(options.output)
    from racehound.pipeline.audit import audit

    with watching() as watch:
        audited = audit(_request(options), watch)
    _publish(audited, options)
    return exits.NOTHING if audited.score == BEST else exits.FINDINGS


def _request(options: Options) -> "AuditRequest":
    from racehound.audit.preparing import existing_directory
    from racehound.audit.request import AuditRequest
    from racehound.audit.template import pair_of, pairs_of

    if options.command and (options.first or options.second):
        raise UsageError("a template and --a, --b exclude each other", hint="name the pair in one of the two ways")
    if options.command:
        whole = len(options.command) == 1
        pairs = pairs_of(options.command[0] if whole else shlex.join(options.command))
    elif options.first or options.second:
        pairs = (pair_of(options.first, options.second),)
    else:
        raise UsageError("there is no command to audit", hint="write it after --, as in -- tool config set k{i} v")
    return AuditRequest(
        pairs=pairs,
        setup=options.setup,
        view=options.view,
        rounds=options.rounds,
        seconds=options.budget,
        session_flag=options.session_flag,
        patience=options.patience,
        deep=options.deep,
        directory=existing_directory(options.directory),
    )


def _publish(audited: "Audit", options: Options) -> None:
    if options.output:
        save(options.output, reporter(options.format)(audited))
    elif options.format == "text":
        from racehound.reporters.audit_text import render

        place = terminal()
        show(render(audited, width=place.width, color=place.color))
    else:
        show(reporter(options.format)(audited))


@contextmanager
def watching() -> "Iterator[Watch]":
    """A bar on standard error with what is done, what is left and how long that will take."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with progress_bar(Console(stderr=True)) as bar:
        yield lambda progress: advance(bar, progress)


def progress_bar(console: "Console") -> "Bar":
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]}", style="progress.download"),
        TimeRemainingColumn(),
    )
    bar = Bar(*columns, console=console, transient=True, speed_estimate_period=LONGEST_STEPS)
    bar.add_task("starting", total=None, count="")
    return bar


def advance(bar: "Bar", progress: "AuditProgress") -> None:
    """Each stage is a task of its own: the total of the one before could not be taken back."""
    (task,) = bar.tasks
    number = task.id
    if task.description != progress.stage:
        bar.remove_task(number)
        number = bar.add_task(progress.stage, total=progress.total or None, count="")
    count = f"{progress.done}/{progress.total}" if progress.total else ""
    bar.update(number, completed=progress.done, total=progress.total or None, count=count)
