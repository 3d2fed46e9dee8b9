"""What a person reads in a terminal: a hundred columns, colour only where it is wanted."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from racehound.model.patch import Patch
from racehound.model.proof import Proof, ScenarioText
from racehound.model.report import Case, Report
from racehound.reporters import accusation, checklists, wording
from racehound.reporters.console import captured
from racehound.reporters.interleaving import interleaving
from racehound.reporters.printable import printable

WIDTH = 100
VERDICT_STYLES = {"race": "bold red", "safe": "bold green"}
DIFF_STYLES = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}


def render(report: Report, *, width: int = WIDTH, color: bool = False) -> str:
    return captured(_report(report, width), width=width, color=color)


def render_proof(proof: Proof, *, width: int = WIDTH, color: bool = False) -> str:
    """One proof alone, as `replay` shows it."""
    return captured(_proof(proof, width), width=width, color=color).lstrip("\n")


def _report(report: Report, width: int) -> Iterator[RenderableType]:
    shown: dict[str, int] = {}
    for number, case in enumerate(report.cases, 1):
        yield from _case(case, number, shown, width)
        yield Text()
    yield Text(wording.closing(report), style="bold")
    yield from map(Text, checklists.in_text(report.checklists))


def _case(case: Case, number: int, shown: dict[str, int], width: int) -> Iterator[RenderableType]:
    finding = case.finding
    yield Rule(Text(f"{number}  {finding.rule} {finding.name}", style="bold"), align="left", style="dim")
    yield _line(
        (printable(str(finding.location)), "bold"), (f"  {finding.severity}", "red"), (_grades(case), "dim")
    )
    yield Text()
    yield Padding(Text(printable(finding.message)), (0, 0, 1, 0))
    facts = accusation.facts(finding, patched=wording.is_cured(case))
    yield _facts([(name, printable(value)) for name, value in facts])
    if case.proof:
        yield from _proof(case.proof, width)
    if case.patch:
        yield from _patch(case.patch, number, shown)
    elif case.patch_reason:
        yield Text()
        yield Padding(_line(("no patch: ", "bold"), (case.patch_reason, "")))


def _grades(case: Case) -> str:
    return f" · confidence {case.finding.confidence} · grade {case.finding.grade}"


def _line(*parts: tuple[str, str]) -> Text:
    return Text.assemble(*parts)


def _facts(pairs: list[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True, min_width=9)
    table.add_column(overflow="fold")
    for name, value in pairs:
        table.add_row(name, Text(value))
    return table


def _proof(proof: Proof, width: int) -> Iterator[RenderableType]:
    yield Text()
    yield _line(
        ("proof: ", "bold"),
        (proof.verdict.value, VERDICT_STYLES.get(proof.verdict.value, "bold yellow")),
        (f" after {wording.executions(proof)}", ""),
        (f" · oracle: {proof.oracle}" if proof.oracle else "", "dim"),
    )
    yield Padding(Text(proof.reason))
    if proof.scenario:
        yield Text()
        yield _facts(list(_scenario(proof.scenario)))
    if proof.timeline:
        yield Text()
        yield interleaving(proof, width)
    if proof.serial or proof.outcome or proof.masked:
        yield Text()
        yield _facts(list(_outcomes(proof, width)))
    if proof.confirmation:
        yield Text()
        yield Padding(_line(("free threads", "cyan"), (f"  {proof.confirmation}", "")))
    if proof.token:
        yield Text()
        yield _line(("replay   ", "cyan"), (f"  racehound replay {proof.token}", ""))


def _scenario(written: ScenarioText) -> Iterator[tuple[str, str]]:
    scenario = wording.spoken_scenario(written)
    yield "set-up", scenario.setup
    for call in scenario.prefix:
        yield "before", call
    for number, calls in enumerate(scenario.tasks, 1):
        yield f"task {number}", "; ".join(calls)


def _outcomes(proof: Proof, width: int) -> Iterator[tuple[str, str]]:
    length = 2 * width
    for item in wording.serial(proof):
        yield "serial", f"{wording.order(item)}: {wording.outcome(item, length)}"
    if proof.outcome:
        yield "here", wording.outcome(proof.outcome, length) + wording.complaint(proof)
    if proof.masked:
        yield "masked", f"not compared: {', '.join(proof.masked)}"


def _patch(patch: Patch, number: int, shown: dict[str, int]) -> Iterator[RenderableType]:
    yield Text()
    if patch.diff in shown:
        yield _line(("patch: ", "bold"), (f"the one shown for finding {shown[patch.diff]}", ""))
    else:
        shown[patch.diff] = number
        graded = f"patch (graded {patch.safety}): "
        yield Padding(_line((graded, "bold"), (patch.summary, "")), (0, 0, 1, 0))
        yield from (Text(line, style=_diff_style(line)) for line in patch.diff.split("\n"))
    verdict = patch.proof.verdict.value if patch.proof else ""
    yield Padding(Text(wording.patch_verdict(patch), style=VERDICT_STYLES.get(verdict, "yellow")))


def _diff_style(line: str) -> str:
    return next((style for start, style in DIFF_STYLES.items() if line.startswith(start)), "")
