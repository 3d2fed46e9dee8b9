"""Findings without proofs in plain text, line by line as `text` would lay them out: loading Rich takes longer."""

import re
from collections.abc import Iterator

from racehound.model.finding import Finding
from racehound.model.report import Report
from racehound.reporters import checklists, wording
from racehound.reporters.accusation import facts

_WORDS = re.compile(r"\s*\S+\s*")
_NAMES = 9
"""Width of the column with the names of the facts."""
_GAP = 2


def render_plain(report: Report, *, width: int) -> str | None:
    """The report; None where it has parts that need a layout of their own."""
    if any(case.proof or case.patch or case.patch_reason for case in report.cases):
        return None
    blocks = [_block(case.finding, number, width) for number, case in enumerate(report.cases, 1)]
    if None in blocks:
        return None
    lines = [line for block in blocks if block is not None for line in (*block, "")]
    lines += [wording.closing(report), *checklists.in_text(report.checklists)]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")) + "\n"


def _block(finding: Finding, number: int, width: int) -> list[str] | None:
    heading = f"{number}  {finding.rule} {finding.name} "
    message = wrapped(finding.message, width)
    facts = list(_facts(finding, width - _NAMES - _GAP))
    if message is None or None in facts or len(heading) >= width:
        return None
    grades = f"  {finding.severity} · confidence {finding.confidence} · grade {finding.grade}"
    head = [heading.ljust(width, "─"), f"{finding.location}{grades}", "", *message, ""]
    return [*head, *(line for block in facts if block is not None for line in block)]


def _facts(finding: Finding, width: int) -> Iterator[list[str] | None]:
    for name, value in facts(finding):
        lines = wrapped(value, width)
        starts = [name] + [""] * len(lines or ())
        yield lines and [f"{start:<{_NAMES + _GAP}}{line}" for start, line in zip(starts, lines, strict=False)]


def wrapped(text: str, width: int) -> list[str] | None:
    """The text in lines that end between words; None where that is not all there is to it."""
    if not text.isascii() or not text.isprintable():
        return None
    lines, used = [""], 0
    for word in _WORDS.findall(text):
        needed = len(word.rstrip())
        if needed > width:
            return None
        if used and used + needed > width:
            lines.append("")
            used = 0
        lines[-1] += word
        used += len(word)
    return lines
