"""From paths to findings: reads, never runs, what it hunts in."""

# ruff: noqa: PLC0415 - rules and analysis are loaded only where the answer is not known yet

import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from racehound.model.finding import Confidence, Finding
from racehound.model.report import DEFECT, UNREADABLE, Diagnostic, Statistics
from racehound.pipeline.memory import Files, Memory, Question
from racehound.pipeline.results import Progress, Result
from racehound.source.discover import Selection, discover

Answer: TypeAlias = tuple[tuple[Finding, ...], tuple[Diagnostic, ...], Statistics]

FEW_CORES = 2
"""So many cores are not worth the work of passing facts from one process to another."""


def hunt(  # noqa: PLR0913 - all but the paths have a default
    paths: Sequence[str | Path],
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    confidence: Confidence = Confidence.LIKELY,
    selection: Selection | None = None,
    cache: str | Path | None = None,
    jobs: int = 0,
    progress: Progress | None = None,
    is_lenient: bool = False,
) -> Answer:
    """Findings at least as sure as `confidence`, in the order of the files; what could not be read; counts.

    `cache` is the directory in which answers are remembered; `jobs` is how many processes may read files at once,
    where 0 leaves it to the number of cores. With `is_lenient`, a rule that breaks down is told of among
    what could not be read, and the others go on.
    """
    texts = tuple(map(str, paths))
    question = Question(texts, tuple(select), tuple(ignore), confidence, selection or Selection())
    memory = None if cache is None else Memory(cache)
    known = None if memory is None else memory.recall(question)
    return _answer(known or _find_out(question, memory, (jobs or default_jobs(), progress, is_lenient)))


def default_jobs() -> int:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 1 if cores <= FEW_CORES else min(cores, 8)


def hunt_text(  # noqa: PLR0913 - likewise
    data: bytes,
    name: str,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    confidence: Confidence = Confidence.LIKELY,
    root: str = "",
    is_lenient: bool = False,
) -> Answer:
    """The same for source that is in no file, and is taken for a program of its own; `root` is its project."""
    from racehound.pipeline.analysing import analyse_text
    from racehound.rules.selection import selected

    return _answer(analyse_text(data, name, selected(select, ignore), confidence, root, is_lenient=is_lenient))


def _find_out(question: Question, memory: Memory | None, how: tuple[int, Progress | None, bool]) -> Result:
    from racehound.pipeline.analysing import analyse
    from racehound.rules.selection import selected

    jobs, progress, is_lenient = how
    rules = selected(question.select, question.ignore)
    visited: list[str] = []
    since = time.time_ns()
    files = discover(question.paths, question.selection, visited)
    keeper = None if memory is None else memory.facts_of(question)
    result = analyse(
        files,
        rules,
        question.confidence,
        jobs=jobs,
        progress=progress,
        keeper=keeper,
        root=question.selection.root,
        is_lenient=is_lenient,
    )
    if memory is not None and all(item.kind != DEFECT for item in result.diagnostics):
        memory.keep(question, Files(files, visited, since), result, {} if keeper is None else keeper.places)
    return result


def _answer(result: Result) -> Answer:
    counts = dict(sorted(Counter(finding.rule for finding in result.findings).items()))
    damaged = {item.path for item in result.diagnostics if item.kind == UNREADABLE}
    unparsed = len(result.unread) + len(damaged)
    statistics = Statistics(files=result.files, lines=result.lines, unparsed=unparsed, rules=counts)
    return result.findings, result.diagnostics, statistics
