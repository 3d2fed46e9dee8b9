"""The report that a reviewer reads: one section per finding, always with the same headings."""

import re
from collections.abc import Iterator

from racehound.model.patch import Patch
from racehound.model.proof import Proof, ScenarioText
from racehound.model.report import Case, Report
from racehound.reporters import checklists, wording
from racehound.reporters.accusation import operations
from racehound.reporters.printable import printable

WIDTH = 60


def render(report: Report) -> str:
    return "\n\n".join(_blocks(report)) + "\n"


def render_proof(proof: Proof) -> str:
    """One proof alone."""
    return "\n\n".join(["## Race Condition Proof", *_reproduction(proof)]) + "\n"


def _blocks(report: Report) -> Iterator[str]:
    yield "## Race Condition Report"
    shown: dict[str, str] = {}
    for case in report.cases:
        yield from _case(case, shown)
    yield from checklists.in_markdown(report.checklists, escape)
    unread, others = wording.sorted_out(report.diagnostics)
    for title, diagnostics in (("Files that could not be read", unread), ("Notes", others)):
        if diagnostics:
            yield f"### {title}"
            yield "\n".join(f"- {escape(str(diagnostic))}" for diagnostic in diagnostics)
    yield escape(wording.closing(report))


def _case(case: Case, shown: dict[str, str]) -> Iterator[str]:
    finding = case.finding
    place = printable(str(finding.location))
    yield f"### File: {escape(place)}"
    yield f"**{finding.rule} {finding.name}**: {escape(finding.message)}"
    yield f"{finding.severity}, confidence {finding.confidence}, grade {finding.grade}"
    if finding.doubt:
        yield f"Doubt: {escape(finding.doubt)}"
    yield "#### Race Type"
    yield escape(finding.race_type)
    yield "#### Trigger Condition"
    yield escape(finding.trigger)
    yield "\n".join(f"- {escape(printable(line))}" for line in operations(finding))
    yield "#### Impact"
    yield escape(finding.impact)
    yield "#### Evidence"
    yield fence(finding.evidence, "python")
    yield "#### Reproduction"
    yield from _reproduction(case.proof)
    yield "#### Fix"
    yield from _fix(case, place, shown)


def _reproduction(proof: Proof | None) -> Iterator[str]:
    if reason := wording.unproven(proof):
        yield escape(reason)
    if proof is None or not wording.is_race(proof):
        return
    if proof.test:
        yield fence(proof.test, "python")
    oracle = f", oracle: {escape(proof.oracle)}" if proof.oracle else ""
    yield f"Proven: {escape(proof.reason)} ({wording.executions(proof)}{oracle})"
    if proof.scenario:
        yield fence(_scenario(proof.scenario), "python")
    yield _timeline(proof)
    yield from _outcomes(proof)
    if proof.confirmation:
        yield f"On free threads: {escape(proof.confirmation)}"
    if proof.token:
        yield fence(f"racehound replay {proof.token}", "sh")


def _scenario(written: ScenarioText) -> str:
    scenario = wording.spoken_scenario(written)
    lines = [f"{scenario.setup}  # set-up", *(f"{call}  # before" for call in scenario.prefix)]
    lines += [f"{call}  # task {number}" for number, calls in enumerate(scenario.tasks, 1) for call in calls]
    return "\n".join(lines)


def _timeline(proof: Proof) -> str:
    tasks = sorted({step.task for step in proof.timeline})
    head = ["", "line", *(f"task {task + 1}" for task in tasks)]
    table = [head, ["---"] * len(head)]
    for row in wording.rows(proof.timeline, length=WIDTH):
        cell = "<br>".join([code(row.source), *map(escape, row.operations)])
        table.append(
            ["⇒" if row.switch else "", escape(row.place), *(cell if task == row.task else "" for task in tasks)]
        )
    return "\n".join("| " + " | ".join(cells) + " |" for cells in table)


def _outcomes(proof: Proof) -> Iterator[str]:
    lines = [
        f"- serial, {escape(wording.order(item))}: {code(wording.outcome(item, WIDTH * 2))}"
        for item in wording.serial(proof)
    ]
    if proof.outcome:
        lines.append(f"- **this interleaving: {code(wording.outcome(proof.outcome, WIDTH * 2))}**")
    if proof.masked:
        lines.append(f"- not compared: {', '.join(map(code, proof.masked))}")
    if lines:
        yield "\n".join(lines)


def _fix(case: Case, place: str, shown: dict[str, str]) -> Iterator[str]:
    if case.finding.remedy and not wording.is_cured(case):
        yield escape(case.finding.remedy)
    if case.patch is None:
        yield f"No patch: {escape(case.patch_reason)}." if case.patch_reason else "No patch was made."
    else:
        yield from _patch(case.patch, place, shown)


def _patch(patch: Patch, place: str, shown: dict[str, str]) -> Iterator[str]:
    if patch.diff in shown:
        yield f"The patch shown for {escape(shown[patch.diff])}."
    else:
        shown[patch.diff] = place
        yield f"{escape(patch.summary)} (graded {patch.safety})."
        yield fence(patch.diff, "diff")
    yield escape(wording.patch_verdict(patch))


def fence(text: str, language: str) -> str:
    """A code block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text.rstrip(chr(10))}\n{ticks}"


def code(text: str) -> str:
    """A code span that may hold backticks and can stand in a table."""
    return span(text).replace("|", "\\|")


def span(text: str) -> str:
    """A code span that may hold backticks; in a table a bar would end the cell."""
    flat = " ".join(text.split())
    longest = max((len(run) for run in re.findall(r"`+", flat)), default=0)
    ticks = "`" * (longest + 1)
    space = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{ticks}{space}{flat}{space}{ticks}"


def escape(text: str) -> str:
    """Plain text that Markdown shows as it is; pairs of backticks stay code spans."""
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if index % 2 else _escape_plain(part) for index, part in enumerate(parts))


def cell(text: str) -> str:
    """The same in a table, where a bar ends a cell even inside of code."""
    return re.sub(r"(?<!\\)\|", r"\\|", escape(text))


def _escape_plain(text: str) -> str:
    # An underscore inside a word, as in most file names, is no mark-up.
    return re.sub(r"([\\*\[\]<>|#`]|(?<!\w)_|_(?!\w))", r"\\\1", text)
