"""One finding on the page: code, operations, interleaving, patch."""

import re
from collections.abc import Iterator
from html import escape

from racehound.model.finding import Finding
from racehound.model.location import Location
from racehound.model.patch import Patch
from racehound.model.proof import Proof
from racehound.model.report import Case, Excerpt
from racehound.reporters import timeline_html, wording
from racehound.reporters.accusation import facts
from racehound.reporters.sources import Sources


def attributes(case: Case) -> dict[str, str]:
    """What the page can be filtered by."""
    finding = case.finding
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "grade": finding.grade.value,
        "verdict": case.proof.verdict.value if case.proof else "",
        "path": finding.location.path,
    }


def finding_card(case: Case, number: int, sources: Sources, shown: dict[str, int]) -> Iterator[str]:
    """`shown` has the finding that each patch was first shown for."""
    finding = case.finding
    data = " ".join(f'data-{name}="{escape(value)}"' for name, value in attributes(case).items())
    yield f'<article class="{finding.severity}" id="{escape(finding.fingerprint)}" {data}>'
    yield f"<header><h3>{number}. {finding.rule} {escape(finding.name)}</h3>{_tags(case)}</header>"
    yield f'<p class="place">{escape(str(finding.location))}</p>\n<p>{inline(finding.message)}</p>'
    yield _facts(finding)
    for excerpt in _excerpts(finding, sources):
        yield _frame(excerpt, finding)
    if case.proof:
        yield from _proof(case.proof)
    yield from _patch(case, number, shown)
    yield "</article>"


def _tags(case: Case) -> str:
    finding = case.finding
    tags = [(finding.severity.value, finding.severity.value)]
    tags += [("", f"confidence {finding.confidence}"), ("", f"grade {finding.grade}"), ("", finding.race_type)]
    if case.proof:
        tags.append((case.proof.verdict.value, f"proof: {case.proof.verdict}"))
    spans = "".join(f'<span class="{kind}">{escape(text)}</span>' for kind, text in tags)
    return f'<div class="tags">{spans}</div>'


def _facts(finding: Finding) -> str:
    """The remedy has a place of its own."""
    rows = facts(finding, patched=True)
    body = "".join(f"<tr><th>{escape(name)}</th><td>{inline(value)}</td></tr>" for name, value in rows)
    return f'<table class="facts">{body}</table>'


def inline(text: str) -> str:
    """Plain text whose pairs of backticks are code."""
    parts = re.split(r"`([^`\n]+)`", text)
    return "".join(f"<code>{escape(part)}</code>" if at % 2 else escape(part) for at, part in enumerate(parts))


def _excerpts(finding: Finding, sources: Sources) -> list[Excerpt]:
    """Around both operations; the bare evidence where no source is at hand."""
    found = [sources.around(place) for place in (finding.location, finding.second.location)]
    known = list(dict.fromkeys(item for item in found if item is not None))
    lines = tuple(finding.evidence.splitlines())
    return known or [Excerpt(path=finding.location.path, line=0, lines=lines)]


def _frame(excerpt: Excerpt, finding: Finding) -> str:
    marked = {
        line
        for place in (finding.location, finding.first.location, finding.second.location)
        if place.path == excerpt.path
        for line in _extent(place)
    }
    lines = []
    for number, text in enumerate(excerpt.lines, excerpt.line):
        kind = ' class="hit"' if number in marked else ""
        lines.append(f"<span{kind}><i>{number if excerpt.line else ''}</i>{escape(text)}</span>")
    other = "" if excerpt.path == finding.location.path else f'<p class="place">{escape(excerpt.path)}</p>'
    return f'{other}<div class="frame" tabindex="0"><pre>{"".join(lines)}</pre></div>'


def _extent(place: Location) -> range:
    return range(place.line, max(place.line, place.end_line) + 1)


def _proof(proof: Proof) -> Iterator[str]:
    yield f"<h4>Proof</h4>\n{timeline_html.section(proof)}"
    if proof.test:
        yield f"<details><summary>a test that fails</summary>{_code(proof.test)}</details>"


def _patch(case: Case, number: int, shown: dict[str, int]) -> Iterator[str]:
    patch = case.patch
    if case.finding.remedy and not wording.is_cured(case):
        yield f"<h4>Remedy</h4>\n<p>{inline(case.finding.remedy)}</p>"
    if patch is None:
        if case.patch_reason:
            yield f"<h4>No patch</h4>\n<p>{inline(case.patch_reason)}</p>"
        return
    if patch.diff in shown:
        yield f"<h4>Patch</h4>\n<p>The one shown for finding {shown[patch.diff]}.</p>"
    else:
        shown[patch.diff] = number
        yield f"<h4>Patch (graded {patch.safety})</h4>\n<p>{inline(patch.summary)}</p>{_diff(patch)}"
    yield f"<p>{inline(wording.patch_verdict(patch))}</p>"


def _diff(patch: Patch) -> str:
    kinds = {"+++": "", "---": "", "+": ' class="add"', "-": ' class="cut"'}
    lines = (
        f"<span{kinds.get(line[:3], kinds.get(line[:1], ''))}>{escape(line) or ' '}</span>"
        for line in patch.diff.splitlines()
    )
    return f'<div class="frame" tabindex="0"><pre>{"".join(lines)}</pre></div>'


def _code(text: str) -> str:
    lines = (f"<span>{escape(line) or ' '}</span>" for line in text.splitlines())
    return f'<div class="frame" tabindex="0"><pre>{"".join(lines)}</pre></div>'
