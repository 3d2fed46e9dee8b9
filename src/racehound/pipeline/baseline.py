"""Findings that a project lives with for now: kept by fingerprint, so that only new ones are reported."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from racehound.model.finding import Confidence, Finding
from racehound.model.report import Diagnostic
from racehound.pipeline.baseline_file import Entry
from racehound.source.module import display_path

GONE = "gone-from-baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    new: tuple[Finding, ...]
    known: tuple[Entry, ...]
    """With the number of findings that each stands for now."""
    gone: tuple[Entry, ...]


def compare(
    findings: Sequence[Finding],
    entries: Iterable[Entry],
    *,
    paths: Sequence[str],
    rules: Iterable[str],
    confidence: Confidence = Confidence.LIKELY,
    root: str = "",
) -> Comparison:
    """What is new and what is gone; of files and rules that were not looked at nothing is said.

    Paths of entries are relative to `root`, those of the hunt to the current directory.

    What is left of a finding that told several, when some of them are mended, is known.
    """
    left = Counter[str]()
    for entry in entries:
        left[entry.fingerprint] += entry.count
    allowed = left.copy()
    told = {part for entry in entries for part in entry.parts}
    new: list[Finding] = []
    remnants: list[Finding] = []
    for finding in findings:
        if left[finding.fingerprint] > 0:
            left[finding.fingerprint] -= 1
        else:
            (remnants if told.issuperset(_parts(finding)) else new).append(finding)
    asked = frozenset(rules)
    left_over = {part for finding in remnants for part in _parts(finding)}
    known, gone = [], []
    for entry in entries:
        present = allowed[entry.fingerprint] - left[entry.fingerprint]
        was_looked_at = _was_looked_at(Path(root, entry.path), paths) and entry.rule in asked
        if present or not (_is_sure_enough(entry, confidence) and was_looked_at):
            known.append(replace(entry, count=present or entry.count))
        elif left_over.isdisjoint(entry.parts):
            gone.append(entry)
    return Comparison(new=tuple(new), known=(*known, *entries_of(remnants)), gone=tuple(gone))


def _parts(finding: Finding) -> tuple[str, ...]:
    return finding.parts or (finding.fingerprint,)


def _is_sure_enough(entry: Entry, asked: Confidence) -> bool:
    """False for what is less sure than what was asked for: it may be there and was not told."""
    known = Confidence(entry.confidence) if entry.confidence in list(Confidence) else Confidence.LIKELY
    return known.rank <= asked.rank


def _was_looked_at(path: Path, paths: Sequence[str]) -> bool:
    file = path.absolute()
    folders = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100 - links stay as they are
    is_gone = not os.path.exists(file)  # noqa: PTH110 - does not raise
    return is_gone or any(file == folder or folder in file.parents for folder in folders)


def complaints(comparison: Comparison, path: str, root: str = "") -> Iterator[Diagnostic]:
    """A line for each finding that is not there any more."""
    for entry in comparison.gone:
        message = f"{entry.rule} is gone, but {path} still has it; --update-baseline takes it out"
        yield Diagnostic(path=display_path(Path(root, entry.path)), message=message, kind=GONE)


def entries_of(findings: Iterable[Finding]) -> tuple[Entry, ...]:
    counts: dict[str, Entry] = {}
    for finding in findings:
        new = Entry(
            fingerprint=finding.fingerprint,
            count=1,
            rule=finding.rule,
            path=finding.home or finding.location.path,
            message=finding.message,
            parts=finding.parts,
            confidence=finding.confidence,
        )
        old = counts.get(finding.fingerprint)
        counts[finding.fingerprint] = new if old is None else replace(old, count=old.count + 1)
    return tuple(counts.values())
