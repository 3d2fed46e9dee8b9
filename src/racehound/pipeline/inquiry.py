"""The questions of one hunt and its answers: from settings to findings that are worth reporting."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from racehound.model.checklist import Checklist
from racehound.model.finding import Confidence, Finding
from racehound.model.report import DEFECT, Diagnostic, Statistics
from racehound.pipeline.baseline import Comparison, compare, complaints, entries_of
from racehound.pipeline.baseline_file import Entry, read_baseline, write_baseline
from racehound.pipeline.baseline_turn import entries_now, turn_at
from racehound.pipeline.hunt import hunt, hunt_text
from racehound.pipeline.ignores import Ignores, without_ignored
from racehound.pipeline.results import Progress
from racehound.source.discover import Selection, is_excluded

Note = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    paths: tuple[str, ...]
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    confidence: Confidence = Confidence.LIKELY
    selection: Selection | None = None
    per_file_ignores: Ignores = ()
    root: str = ""
    """What patterns in `per_file_ignores` are relative to."""
    baseline: str | None = None
    write_baseline: bool = False
    update_baseline: bool = False
    checklist: bool = False
    cache: str | None = None
    """The directory in which answers are remembered."""
    jobs: int = 0
    """Processes; 0 leaves it to the number of cores."""
    is_lenient: bool = False
    """Where a rule breaks down, the others go on."""
    text: bytes | None = None
    """Source that is in no file; `paths` then has the name it goes by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]
    statistics: Statistics
    known: int = 0
    """Findings that the baseline has already."""
    written: int | None = None
    """How many findings the baseline has now, where it was written."""
    checklists: tuple[Checklist, ...] = ()


def inquire(inquiry: Inquiry, progress: Progress | None = None) -> Answers:
    known = read_baseline(inquiry.baseline) if inquiry.baseline and not inquiry.write_baseline else ()
    findings, diagnostics, statistics = _hunt(inquiry, progress)
    findings = without_ignored(findings, inquiry.per_file_ignores, root=inquiry.root)
    answers = Answers(findings=findings, diagnostics=diagnostics, statistics=_recounted(statistics, findings))
    if inquiry.checklist:
        answers = replace(answers, checklists=_checklists(inquiry, findings, progress))
    return _against_baseline(_kept_safe(inquiry, answers), answers, known) if inquiry.baseline else answers


def _kept_safe(inquiry: Inquiry, answers: Answers) -> Inquiry:
    """What a rule would have found that broke down is not gone: the baseline stays as it is."""
    if all(item.kind != DEFECT for item in answers.diagnostics):
        return inquiry
    return replace(inquiry, paths=(), write_baseline=False, update_baseline=False)


def _hunt(
    inquiry: Inquiry, progress: Progress | None
) -> tuple[tuple[Finding, ...], tuple[Diagnostic, ...], Statistics]:
    if inquiry.text is not None:
        if is_excluded(inquiry.paths[0], inquiry.selection or Selection()):
            return (), (), Statistics(files=0, lines=0)
        return hunt_text(
            inquiry.text,
            inquiry.paths[0],
            select=inquiry.select,
            ignore=inquiry.ignore,
            confidence=inquiry.confidence,
            root=inquiry.root,
            is_lenient=inquiry.is_lenient,
        )
    return hunt(
        inquiry.paths,
        select=inquiry.select,
        ignore=inquiry.ignore,
        confidence=inquiry.confidence,
        selection=inquiry.selection,
        cache=inquiry.cache,
        jobs=inquiry.jobs,
        progress=progress,
        is_lenient=inquiry.is_lenient,
    )


def _recounted(statistics: Statistics, findings: Sequence[Finding]) -> Statistics:
    codes = [finding.rule for finding in findings]
    return replace(statistics, rules={code: codes.count(code) for code in sorted(set(codes))})


def _ran(inquiry: Inquiry) -> tuple[str, ...]:
    from racehound.rules.selection import selected  # noqa: PLC0415 - a hunt without these questions loads no rules

    return tuple(rule.meta.code for rule in selected(inquiry.select, inquiry.ignore))


def _checklists(inquiry: Inquiry, findings: Sequence[Finding], progress: Progress | None) -> tuple[Checklist, ...]:
    from racehound.pipeline.census_taking import census_of  # noqa: PLC0415 - likewise
    from racehound.pipeline.checklist import answer_checklists  # noqa: PLC0415 - likewise

    everything, _, _ = _hunt(replace(inquiry, confidence=Confidence.POSSIBLE), progress)
    wanted = without_ignored(everything, inquiry.per_file_ignores, root=inquiry.root)
    weaker = [finding for finding in wanted if finding.confidence.rank > inquiry.confidence.rank]
    census = census_of(inquiry.paths, inquiry.selection, inquiry.text)
    return answer_checklists(findings, census, _ran(inquiry), weaker)


def _against_baseline(inquiry: Inquiry, answers: Answers, entries: tuple[Entry, ...]) -> Answers:
    path = inquiry.baseline or ""
    if inquiry.write_baseline:
        write_baseline(path, entries_of(answers.findings))
        return replace(answers, findings=(), known=len(answers.findings), written=len(answers.findings))
    comparison = (
        _updated(inquiry, answers, entries) if inquiry.update_baseline else _compared(inquiry, answers, entries)
    )
    known = len(answers.findings) - len(comparison.new)
    answers = replace(
        answers,
        findings=comparison.new,
        known=known,
        statistics=_recounted(answers.statistics, comparison.new),
    )
    if inquiry.update_baseline:
        return replace(answers, written=sum(entry.count for entry in comparison.known))
    return replace(answers, diagnostics=(*answers.diagnostics, *complaints(comparison, path, inquiry.root)))


def _updated(inquiry: Inquiry, answers: Answers, entries: tuple[Entry, ...]) -> Comparison:
    """Two that look at different paths take out what each of them knows to be gone, and put nothing back."""
    path = inquiry.baseline or ""
    with turn_at(path):
        comparison = _compared(inquiry, answers, entries_now(path, entries))
        write_baseline(path, comparison.known)
    return comparison


def _compared(inquiry: Inquiry, answers: Answers, entries: tuple[Entry, ...]) -> Comparison:
    return compare(
        answers.findings,
        entries,
        paths=inquiry.paths,
        rules=_ran(inquiry),
        confidence=inquiry.confidence,
        root=inquiry.root,
    )
