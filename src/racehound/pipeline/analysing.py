"""From files to findings: what a hunt does when nothing is known yet."""

import gc
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from racehound.analysis.program import Program
from racehound.analysis.survey import Part, Survey
from racehound.model.finding import Confidence, Finding
from racehound.model.report import DEFECT, Diagnostic
from racehound.pipeline.conclusions import Conclusion, Conclusions, island_key
from racehound.pipeline.factstore import FactKeeper, Keep
from racehound.pipeline.folding import folded
from racehound.pipeline.reading import Reading, facts_of, read
from racehound.pipeline.results import Progress, Result
from racehound.pipeline.silence import Silence
from racehound.pipeline.together import together
from racehound.rules.rule import Rule, fingerprint
from racehound.source.facts import ModuleFacts
from racehound.source.module import SourceModule, display_path, home_path

_How: TypeAlias = tuple[int, Progress | None, FactKeeper | None, str, bool]


def analyse(  # noqa: PLR0913 - the last five have a default
    files: Sequence[Path],
    rules: Sequence[Rule],
    confidence: Confidence,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    keeper: FactKeeper | None = None,
    root: str = "",
    is_lenient: bool = False,
) -> Result:
    """`keeper` has what an earlier hunt collected of files, and takes what this one has; `root` is the project.

    With `is_lenient`, a rule that breaks down is told of, and the others go on.
    """
    with undisturbed():  # until the facts are gone again
        return _analyse(files, rules, confidence, (jobs, progress, keeper, root, is_lenient))


def _analyse(files: Sequence[Path], rules: Sequence[Rule], confidence: Confidence, how: _How) -> Result:
    jobs, progress, keeper, root, is_lenient = how
    earlier, conclusions = (None, None) if keeper is None else (keeper.earlier, keeper.conclusions)
    reading = read(files, jobs=jobs, progress=progress, known=earlier, leads=conclusions)
    silence = Silence(reading.modules, rules)
    judging = _Judging(progress, len(reading.modules) * len(rules), is_lenient=is_lenient)
    paths = {display_path(file): str(file) for file in files}
    for module in reading.modules if root else ():
        module.home = home_path(paths[module.path], root)
    with nullcontext(_keep_nothing) if keeper is None else keeper.keeping(paths, reading.led_to) as keep:
        concluded = _concluded(reading, rules, conclusions, judging, keep)
    asked = frozenset(reading.leads.asked).union(*(item.asked for item in concluded))
    found = [finding for item in concluded for finding in item.findings]
    findings = tuple(_presentable(found, confidence, silence))
    told = (*reading.diagnostics, *silence.complaints(), *judging.defects.values())
    diagnostics = sorted(told, key=lambda item: (item.path, item.line))
    return Result(findings, tuple(diagnostics), len(files), reading.lines, reading.unread, asked)


def _keep_nothing(modules: Iterable[ModuleFacts]) -> None:
    """Where nothing is remembered."""


class _Judging:
    """Tells how far the rules have come, a step being a rule on a module, and which of them broke down."""

    def __init__(self, progress: Progress | None = None, total: int = 0, *, is_lenient: bool = False) -> None:
        self._progress = progress
        self._total = total
        self._done = 0
        self._is_lenient = is_lenient
        self.defects: dict[str, Diagnostic] = {}
        """Once for each rule and error."""
        self.breakdowns = 0

    def findings_of(self, rule: Rule, program: Program) -> list[Finding]:
        try:
            return list(rule.check(program))
        except Exception as error:
            if not self._is_lenient:
                raise
            self.breakdowns += 1
            what = f"{rule.meta.code} broke down, a defect of racehound: {type(error).__name__}: {error}"
            message = f"{what}; please report it with the output of the same command run with RACEHOUND_DEBUG=1"
            self.defects.setdefault(what, Diagnostic(path=program.modules[0].path, message=message, kind=DEFECT))
            return []
        finally:
            self.advance(len(program.modules))

    def advance(self, steps: int) -> None:
        self._done += steps
        if self._progress is not None:
            self._progress("judging", self._done, self._total)


def _concluded(
    reading: Reading, rules: Sequence[Rule], known: Conclusions | None, judging: _Judging, keep: Keep
) -> list[Conclusion]:
    """What the rules say of each island, from memory where it has not changed.

    The facts of an island go when it has been judged; the largest come last and find the room that others left.
    """
    parts = reading.leads.islands(reading.modules, reading.names)
    concluded: dict[Part, Conclusion] = {}
    for part in sorted(parts, key=lambda part: sum(module.measure.events for module in part)):
        concluded[part] = _concluded_of(part, reading, rules, known, judging)
        keep(part)
        dismantle(part)
    return [concluded[part] for part in parts]


def _concluded_of(
    part: Part, reading: Reading, rules: Sequence[Rule], known: Conclusions | None, judging: _Judging
) -> Conclusion:
    names, leads = reading.names, reading.leads
    key = "" if known is None else island_key(part, leads.outside(part))
    conclusion = None if known is None else known.recall(key)
    if conclusion is not None:
        judging.advance(len(part) * len(rules))
        return conclusion
    breakdowns = judging.breakdowns
    conclusion = _conclude(leads.survey_of(part, names), rules, judging)
    if known is not None and judging.breakdowns == breakdowns:
        known.note(key, conclusion)
    return conclusion


def _conclude(survey: Survey, rules: Sequence[Rule], judging: _Judging) -> Conclusion:
    program = Program.surveyed(survey)
    findings: list[Finding] = []
    for rule in rules:
        findings += judging.findings_of(rule, program)
    program.gaps.clear()  # they know the program
    return Conclusion(tuple(findings), frozenset(survey.names.asked))


def analyse_text(
    data: bytes,
    name: str,
    rules: Sequence[Rule],
    confidence: Confidence,
    root: str = "",
    *,
    is_lenient: bool = False,
) -> Result:
    """The same for source that is in no file, and is taken for a program of its own."""
    source = SourceModule.from_bytes(data, name)
    facts = facts_of(source) if isinstance(source, SourceModule) else source
    lines = data.count(b"\n")
    if isinstance(facts, Diagnostic):
        return Result((), (facts,), 1, lines, {})
    facts.home = home_path(name, root)
    silence = Silence([facts], rules)
    judging = _Judging(is_lenient=is_lenient)
    found = _conclude(Survey([facts]), rules, judging).findings
    findings = tuple(_presentable(found, confidence, silence))
    return Result(findings, (*silence.complaints(), *judging.defects.values()), 1, lines, {})


def dismantle(modules: Sequence[ModuleFacts]) -> None:
    """Cuts the cycles in the facts: they are freed at once, where the collector would take seconds for it."""
    for module in filter(lambda module: module.is_loaded, modules):
        for item in module.classes:
            item.methods.clear()
        module.functions.clear()
        module.classes.clear()
        module.callers.clear()
        module.definitions.clear()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without the collector, which would walk the growing facts again and again and find nothing to free."""
    collecting, limit = gc.isenabled(), sys.getrecursionlimit()
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collecting:
            gc.enable()


def _presentable(found: Sequence[Finding], confidence: Confidence, silence: Silence) -> Iterator[Finding]:
    """Sorted, without the suppressed and the unsure, each with a fingerprint of its own."""
    silenced = {id(finding) for finding in found if silence.covers(finding)}  # of all: what is folded uses it, too
    told = folded(found, lambda finding: id(finding) in silenced)
    told.sort(key=lambda finding: (finding.location, finding.rule, finding.message))
    seen: Counter[str] = Counter()
    wanted: list[Finding] = []
    for finding in told:
        index = seen[finding.fingerprint]
        seen[finding.fingerprint] += 1
        if not silence.covers(finding) and finding.confidence.rank <= confidence.rank:
            wanted.append(_distinct(finding, index))
    yield from together(wanted)


def _distinct(finding: Finding, index: int) -> Finding:
    if index == 0:
        return finding
    text = f"{finding.fingerprint}:{finding.message}"
    return replace(
        finding,
        fingerprint=fingerprint(
            finding.rule, finding.home or finding.location.path, finding.first.function, text, index
        ),
    )
