"""From paths to findings: reads, never runs, what it hunts in."""

import gc
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.model.report import Diagnostic, Statistics
from racehound.pipeline.choice import Choice
from racehound.pipeline.silence import Silence
from racehound.pipeline.together import together
from racehound.rules.rule import Rule, fingerprint
from racehound.rules.selection import selected
from racehound.source.discover import Selection, discover
from racehound.source.extraction import extract
from racehound.source.facts import ModuleFacts
from racehound.source.module import SourceModule

_RECURSION_LIMIT = 10_000
"""Enough for every tree that the parser itself accepts."""


def hunt(
    paths: Sequence[str | Path],
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    confidence: Confidence = Confidence.LIKELY,
    selection: Selection | None = None,
) -> tuple[tuple[Finding, ...], tuple[Diagnostic, ...], Statistics]:
    """Findings at least as sure as `confidence`, in the order of the files; what could not be read; counts."""
    rules = selected(select, ignore)
    files = discover(paths, selection)
    with _undisturbed():
        findings, diagnostics, lines = _analyse(files, rules, confidence)
    counts = dict(sorted(Counter(finding.rule for finding in findings).items()))
    return findings, diagnostics, Statistics(files=len(files), lines=lines, rules=counts)


def hunt_text(
    data: bytes,
    name: str,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    confidence: Confidence = Confidence.LIKELY,
) -> tuple[tuple[Finding, ...], tuple[Diagnostic, ...], Statistics]:
    """The same for source that is in no file, and is taken for a program of its own."""
    rules = selected(select, ignore)
    source = SourceModule.from_bytes(data, name)
    facts = facts_of(source) if isinstance(source, SourceModule) else source
    if isinstance(facts, Diagnostic):
        return (), (facts,), Statistics(files=1, lines=data.count(b"\n"))
    silence = Silence([facts], rules)
    findings = tuple(_presentable(Program.from_facts([facts]), rules, confidence, silence))
    counts = dict(sorted(Counter(finding.rule for finding in findings).items()))
    statistics = Statistics(files=1, lines=data.count(b"\n"), rules=counts)
    return findings, tuple(silence.complaints()), statistics


def _analyse(
    files: Sequence[Path], rules: Sequence[Rule], confidence: Confidence
) -> tuple[tuple[Finding, ...], tuple[Diagnostic, ...], int]:
    modules, diagnostics, lines = _read(files)
    silence = Silence(modules, rules)
    findings = tuple(_presentable(Program.from_facts(modules), rules, confidence, silence))
    diagnostics += silence.complaints()
    _dismantle(modules)
    return findings, tuple(sorted(diagnostics, key=lambda item: (item.path, item.line))), lines


def _dismantle(modules: Sequence[ModuleFacts]) -> None:
    """Cuts the cycles in the facts: they are freed at once, where the collector would take seconds for it."""
    for module in modules:
        for item in module.classes:
            item.methods.clear()
        module.functions.clear()
        module.classes.clear()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Without the collector, which would walk the growing facts again and again and find nothing to free."""
    collecting, limit = gc.isenabled(), sys.getrecursionlimit()
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _read(files: Sequence[Path]) -> tuple[list[ModuleFacts], list[Diagnostic], int]:
    """What the files say, those that say nothing worth hearing left out, and how many lines there are."""
    choice = Choice(files)
    modules: list[ModuleFacts] = []
    diagnostics: list[Diagnostic] = []
    for source in choice.sources():
        result = facts_of(source) if isinstance(source, SourceModule) else source
        if isinstance(result, Diagnostic):
            diagnostics.append(result)
        else:
            modules.append(result)
            choice.saw(result)
    return modules, diagnostics, choice.left_out_lines + sum(module.text.count("\n") for module in modules)


def facts_of(module: SourceModule) -> ModuleFacts | Diagnostic:
    """What a module says, or the one line that says why that cannot be told."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))  # only here: the parser counts C frames against it
    try:
        return extract(module)
    except RecursionError:
        return Diagnostic(path=module.path, message="nested too deeply to be analysed")
    finally:
        sys.setrecursionlimit(limit)


def _presentable(
    program: Program, rules: Sequence[Rule], confidence: Confidence, silence: Silence
) -> Iterator[Finding]:
    """Sorted, without the suppressed and the unsure, each with a fingerprint of its own."""
    found = list(_most_specific([finding for rule in rules for finding in rule.check(program)]))
    found.sort(key=lambda finding: (finding.location, finding.rule, finding.message))
    seen: Counter[str] = Counter()
    wanted: list[Finding] = []
    for finding in found:
        index = seen[finding.fingerprint]
        seen[finding.fingerprint] += 1
        if not silence.covers(finding) and finding.confidence.rank <= confidence.rank:
            wanted.append(_distinct(finding, index))
    yield from together(wanted)


_GENERAL = "RH107"
_SPECIFIC = frozenset({"RH101", "RH103", "RH105", "RH106", "RH113", "RH115"})


def _most_specific(found: Sequence[Finding]) -> Iterator[Finding]:
    """Without what the general rule says of a line and a field of which another one knows more."""
    known = {
        (item.location.path, item.location.line, item.subject.fields) for item in found if item.rule in _SPECIFIC
    }
    for item in found:
        if item.rule != _GENERAL or (item.location.path, item.location.line, item.subject.fields) not in known:
            yield item


def _distinct(finding: Finding, index: int) -> Finding:
    if index == 0:
        return finding
    text = f"{finding.fingerprint}:{finding.message}"
    return replace(
        finding,
        fingerprint=fingerprint(finding.rule, finding.location.path, finding.first.function, text, index),
    )
