"""Where a report goes: the terminal, a file, or a directory with a file for each source file."""

import os
import re
from collections import Counter
from dataclasses import replace
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from racehound.cli.terminal import check_output, note, save, show, terminal
from racehound.errors import UsageError
from racehound.reporters.registry import reporter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from racehound.model.report import Report

READ_BY_PEOPLE = frozenset({"text", "markdown"})
_SHOWN = 5
ANSWERING = frozenset({"text", "markdown", "html", "json"})
"""The formats that hold the answers to the questions of an audit."""


def check_target(output: str | None, format_name: str) -> None:
    """Complain before the work begins, not after it."""
    if output is None or _is_directory(output, format_name):
        return
    if os.path.isdir(output):  # noqa: PTH112 - does not raise
        raise UsageError(
            f"cannot write {output}: it is a directory", hint="name a file; only markdown fills a directory"
        )
    check_output(output)


def _is_directory(output: str, format_name: str) -> bool:
    """A directory, or the name of one that is not there yet: with markdown, what has no suffix."""
    if format_name != "markdown":
        return False
    is_new = not os.path.exists(output) and not Path(output).suffix  # noqa: PTH110 - does not raise
    return is_new or output.endswith("/") or os.path.isdir(output)  # noqa: PTH112 - likewise


def publish(report: "Report", *, format_name: str, output: str | None, statistics: bool) -> None:
    if output is not None and _is_directory(output, format_name):
        _fill(Path(output), report)
    elif output is not None:
        save(output, reporter(format_name)(report))
    elif format_name == "text":
        show(_text(report))
    else:
        show(reporter(format_name)(report))
    if report.checklists and format_name not in ANSWERING:
        note(f"{format_name} has no place for the answers of --checklist; {', '.join(sorted(ANSWERING))} have one")
    if statistics and format_name != "json":
        _count(report, beside=output is None and format_name not in READ_BY_PEOPLE)


def _text(report: "Report") -> str:
    from racehound.reporters.text_plain import render_plain  # noqa: PLC0415 - only for this format

    place = terminal()
    plain = None if place.color else render_plain(report, width=place.width)
    if plain is not None:
        return plain
    from racehound.reporters.text import render  # noqa: PLC0415 - slow to import

    return render(report, width=place.width, color=place.color)


def _count(report: "Report", *, beside: bool) -> None:
    """The counts; beside a report for programs, where they must not get into it."""
    from racehound.reporters.statistics import statistics as counted  # noqa: PLC0415 - for those who ask

    text = counted(report.statistics)
    if beside:
        for line in text.splitlines():
            note(line)
    else:
        show(text)


def _fill(directory: Path, report: "Report") -> None:
    render = reporter("markdown")
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {directory}: {error.strerror}", hint="name another directory") from error
    parts = list(_parts(report))
    for name, part in parts:
        save(str(directory / name), render(part))
    note(f"{len(parts)} report{'' if len(parts) == 1 else 's'} written to {directory}")
    _tell_of_others(directory, {name for name, _ in parts})


def _tell_of_others(directory: Path, written: set[str]) -> None:
    """Reports of files that were not looked at, or in which nothing is found now: whose they are nobody knows."""
    others = sorted(path.name for path in directory.glob("RACE_AUDIT*.md") if path.name not in written)
    if others:
        shown = ", ".join(others[:_SHOWN]) + (f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else "")
        note(f"{directory} has reports that this run did not write: {shown}")


def _parts(report: "Report") -> "Iterator[tuple[str, Report]]":
    """A report for each source file with findings, and one of everything where all of it was asked about."""
    if report.checklists:
        yield "RACE_AUDIT.md", report
    for path, name in _names(case.finding.location.path for case in report.cases):
        cases = tuple(case for case in report.cases if case.finding.location.path == path)
        diagnostics = tuple(item for item in report.diagnostics if item.path == path)
        counts = replace(report.statistics, files=1)
        yield (
            f"RACE_AUDIT_{name}.md",
            replace(report, cases=cases, diagnostics=diagnostics, statistics=counts, checklists=()),
        )


def _names(paths: "Iterable[str]") -> "Iterator[tuple[str, str]]":
    """Each path with a name of its own: names that two files share say where these are, or are numbered."""
    each = list(dict.fromkeys(paths))
    stems = Counter(PurePosixPath(path).stem.casefold() for path in each)
    taken: set[str] = set()
    for path in each:
        stem = PurePosixPath(path).stem
        is_alone = stems[stem.casefold()] == 1
        name = stem if is_alone else re.sub(r"\W+", "_", path.removesuffix(".py")).strip("_")
        choices = chain([name], (f"{name}_{number}" for number in count(2)))
        name = next(choice for choice in choices if choice.casefold() not in taken)
        taken.add(name.casefold())
        yield path, name
