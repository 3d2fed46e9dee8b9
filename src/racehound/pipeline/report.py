"""All that a run found out, in one value."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from racehound.model.report import Case, Diagnostic, Excerpt, Report, Statistics
from racehound.model.rule import RuleText
from racehound.pipeline.files import read_source

_LINE_END = re.compile(r"\r\n|\r|\n")
"""Those of Python: a form feed ends no line."""
MARGIN = 3
"""Lines of source to show before and after an operation."""


def assemble(cases: Sequence[Case], *, diagnostics: Sequence[Diagnostic] = (), statistics: Statistics) -> Report:
    verdicts = Counter(case.proof.verdict.value for case in cases if case.proof)
    counted = replace(statistics, verdicts=dict(sorted(verdicts.items())))
    return Report(cases=tuple(cases), diagnostics=tuple(diagnostics), statistics=counted)


def in_detail(report: Report, texts: Mapping[str, str] | None = None) -> Report:
    """With the pages of the rules and the source around the findings; `texts` stand for files that are none."""
    return replace(report, rules=_rules(report), excerpts=_excerpts(report, texts or {}))


def _rules(report: Report) -> tuple[RuleText, ...]:
    from racehound.rules.pages import text_of  # noqa: PLC0415 - a hunt that is answered from its cache loads no rules
    from racehound.rules.registry import rule_named  # noqa: PLC0415 - likewise

    rules = [rule_named(code) for code in sorted({case.finding.rule for case in report.cases})]
    return tuple(map(text_of, rules))


def _excerpts(report: Report, texts: Mapping[str, str]) -> tuple[Excerpt, ...]:
    wanted: dict[str, set[int]] = {}
    for case in report.cases:
        finding = case.finding
        for place in (finding.location, finding.first.location, finding.second.location):
            last = max(place.line, min(place.end_line, place.line + 2 * MARGIN))
            wanted.setdefault(place.path, set()).update(range(place.line - MARGIN, last + MARGIN + 1))
    found = ((path, numbers, _lines(path, texts)) for path, numbers in sorted(wanted.items()))
    return tuple(excerpt for path, numbers, lines in found for excerpt in _blocks(path, sorted(numbers), lines))


def _lines(path: str, texts: Mapping[str, str]) -> list[str]:
    """Of a file that can be read no more, none."""
    try:
        text = texts[path] if path in texts else read_source(path)
    except (OSError, SyntaxError, UnicodeDecodeError):
        return []
    lines = _LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def _blocks(path: str, numbers: Sequence[int], lines: Sequence[str]) -> list[Excerpt]:
    """Numbers that follow each other make one excerpt."""
    blocks: list[list[int]] = []
    for number in numbers:
        if not 1 <= number <= len(lines):
            continue
        if blocks and blocks[-1][-1] == number - 1:
            blocks[-1].append(number)
        else:
            blocks.append([number])
    return [Excerpt(path=path, line=block[0], lines=tuple(lines[block[0] - 1 : block[-1]])) for block in blocks]
