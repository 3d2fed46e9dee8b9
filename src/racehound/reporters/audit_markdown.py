"""An audit in Markdown: a report to read, a row for `findings.md` and a block for `trace.md`.

The row and the block have the shape that the published evaluations of command-line tools use, so that they can be
pasted there as they are.
"""

from collections.abc import Iterator

from racehound.model.audit import Audit, Check, DrawnCall, PairText, Violation
from racehound.reporters import audit_wording as wording
from racehound.reporters.markdown import cell, code, escape, fence, span

CHALLENGE = "§15"
TITLE = "Race Conditions & Concurrency"
SEVERITY = "High"
SHOWN_LINES = 20
MOST_CRASHES = 12


def render(audit: Audit) -> str:
    return "\n\n".join(_blocks(audit)) + "\n"


def _blocks(audit: Audit) -> Iterator[str]:
    yield "## Concurrency audit"
    yield f"**{wording.headline(audit)}** ({wording.counts(audit)})"
    for pair in audit.pairs:
        yield from _pair(pair, tuple(item for item in audit.violations if item.pair == pair.name))
    yield "### Crash points"
    yield "\n".join(_crashes(audit))
    yield "### Checks"
    yield _table(["check", "result", "evidence"], [_check_cells(check) for check in audit.checks])
    if audit.flags:
        yield f"Flags: {', '.join(audit.flags)}"
    if audit.advice:
        yield "### What to change"
        yield "\n".join(_advice(audit))
    yield "### Circumstances"
    yield "\n".join(f"- {name}: {escape(text)}" for name, text in wording.circumstances(audit))
    yield "### Row for findings.md"
    yield findings_row(audit)
    yield "### Block for trace.md"
    yield trace_block(audit)


def _pair(pair: PairText, violations: tuple[Violation, ...]) -> Iterator[str]:
    yield f"### Pair: {pair.name}"
    lines = [f"- set-up: {span(text)}" for text in pair.setup]
    yield "\n".join([*lines, f"- A: {span(pair.first)}", f"- B: {span(pair.second)}"])
    if not violations:
        yield "No violation."
        return
    yield from _violation(violations[0])
    if others := wording.others(violations):
        yield "\n".join(f"- also {escape(line)}" for line in others)


def _violation(violation: Violation) -> Iterator[str]:
    cache = " (a cache)" if violation.cache_only else ""
    yield f"**{violation.what}{cache}**: {escape(violation.point)}"
    yield escape(violation.detail)
    if violation.steps:
        yield _table(["", *wording.TASKS], [_row(call) for call in violation.steps])
        yield escape(wording.LEGEND)
    if violation.lost:
        yield "\n".join(f"- lost: {span(name)}" for name in violation.lost)
    yield fence(f"racehound replay {violation.token}", "sh")


def _row(call: DrawnCall) -> list[str]:
    mark, step = "⇒" if call.switch else "", code(f"{call.call} {call.path}")
    return [mark, step, ""] if call.task == 0 else [mark, "", step]


def _crashes(audit: Audit) -> Iterator[str]:
    yield escape(wording.crash_summary(audit))
    bad = [point for point in audit.crash_points if not point.is_fine]
    yield from (f"- {escape(wording.crash_line(point))}" for point in bad[:MOST_CRASHES])


def _check_cells(check: Check) -> list[str]:
    return [cell(check.title), "passed" if check.passed else "**failed**", cell(check.evidence)]


def _advice(audit: Audit) -> Iterator[str]:
    for item in audit.advice:
        yield f"- {escape(item.text)}"
        yield from (f"    - {escape(place)}" for place in item.places)


def _table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows))


def findings_row(audit: Audit) -> str:
    notes = cell(" ".join(_notes(audit).split()))
    return f"| {CHALLENGE} | {TITLE} | {SEVERITY} | {audit.score}/3 | {audit.date} | {notes} |"


def _notes(audit: Audit) -> str:
    if audit.violations:
        first = audit.violations[0]
        return f"{first.what} on schedule {first.schedule}: {first.detail}"
    failed = next((check for check in audit.checks if not check.passed), None)
    return failed.evidence if failed else f"{wording.counts(audit)}; every check passed"


def trace_block(audit: Audit) -> str:
    sample = audit.sample
    version, status = audit.tool_version or "unknown", sample.status if sample else 0
    lines = [
        f"## {CHALLENGE} - {TITLE}",
        f"**Date:** {audit.date}",
        f"**CLI version:** {escape(version)}",
        f"**Check command:** {' beside '.join(map(span, _raced(audit)))}",
        f"**Exit code:** {status}",
        f"**Score:** {audit.score}/3",
    ]
    streams = [
        f"**{name}** (first {SHOWN_LINES} lines):\n{fence(_head(text), '')}"
        for name, text in (
            ("stdout", sample.stdout if sample else ""),
            ("stderr", sample.stderr if sample else ""),
        )
    ]
    return "\n\n".join(["\n".join(lines), *streams])


def _raced(audit: Audit) -> tuple[str, ...]:
    guilty = {violation.pair for violation in audit.violations[:1]}
    chosen = next((pair for pair in audit.pairs if pair.name in guilty or not guilty), None)
    return (chosen.first, chosen.second) if chosen else ()


def _head(text: str) -> str:
    return "\n".join(text.splitlines()[:SHOWN_LINES])
