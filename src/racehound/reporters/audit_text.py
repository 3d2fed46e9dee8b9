"""An audit as a person reads it in a terminal."""

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from racehound.model.audit import Audit, PairText, Violation
from racehound.reporters import audit_wording as wording
from racehound.reporters.console import captured

WIDTH = 100
STYLES = ("bold red", "bold yellow", "bold cyan", "bold green")
MOST_CRASHES = 6


def render(audit: Audit, *, width: int = WIDTH, color: bool = False) -> str:
    return captured(_audit(audit, width), width=width, color=color)


def render_violation(violation: Violation, *, width: int = WIDTH, color: bool = False) -> str:
    """One violation alone, as `replay` shows it."""
    return captured(_violation(violation, width), width=width, color=color).lstrip("\n")


def _audit(audit: Audit, width: int) -> Iterator[RenderableType]:
    for pair in audit.pairs:
        yield from _pair(pair, tuple(item for item in audit.violations if item.pair == pair.name), width)
    yield Rule(style="dim")
    yield Text(wording.headline(audit), style=STYLES[audit.score])
    yield Padding(Text(wording.counts(audit)))
    yield from _crashes(audit)
    yield Text()
    yield _checks(audit)
    if audit.flags:
        yield Padding(Text(f"flags: {', '.join(audit.flags)}"), (1, 0, 0, 0))
    if audit.advice:
        yield Text()
        yield Text("what to change", style="bold")
        yield from _advice(audit)
    yield Text()
    yield _facts(list(wording.circumstances(audit)))


def _pair(pair: PairText, violations: tuple[Violation, ...], width: int) -> Iterator[RenderableType]:
    yield Rule(Text(pair.name, style="bold"), align="left", style="dim")
    yield _facts([*(("set-up", text) for text in pair.setup), ("A", pair.first), ("B", pair.second)])
    if not violations:
        yield Padding(Text("no violation", style="green"))
    else:
        yield from _violation(violations[0], width)
        yield from (Padding(Text(f"also {line}"), (0, 0, 0, 2)) for line in wording.others(violations))
    yield Text()


def _violation(violation: Violation, width: int) -> Iterator[RenderableType]:
    yield Text()
    cache = " (a cache)" if violation.cache_only else ""
    yield Text(f"{violation.what}{cache}: {violation.point}", style="bold red")
    yield Padding(Text(violation.detail))
    if violation.steps:
        yield Text()
        yield _columns(violation, width)
        yield Padding(Text(wording.LEGEND, style="dim"))
    if violation.lost:
        yield _facts([("lost", name) for name in violation.lost[:MOST_CRASHES]])
    if violation.token:
        yield Text(f"replay     racehound replay {violation.token}")


def _columns(violation: Violation, width: int) -> Table:
    """A column of file calls per command; `⇒` marks where control came from the other one."""
    room = max(24, (width - 8) // 2 - 3)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    table.add_column("", no_wrap=True)
    for task in wording.TASKS:
        table.add_column(task, min_width=min(room, 24), overflow="fold")
    for call in violation.steps:
        cell = Text.assemble((call.call, "bold"), f" {call.path}")
        cells = (cell, "") if call.task == 0 else ("", cell)
        table.add_row(Text("⇒" if call.switch else "", style="bold magenta"), *cells)
    return table


def _crashes(audit: Audit) -> Iterator[RenderableType]:
    yield Padding(Text(wording.crash_summary(audit)))
    bad = [point for point in audit.crash_points if not point.is_fine]
    for point in bad[:MOST_CRASHES]:
        yield Padding(Text(wording.crash_line(point)), (0, 0, 0, 2))
    if len(bad) > MOST_CRASHES:
        yield Padding(Text(f"and {len(bad) - MOST_CRASHES} more"), (0, 0, 0, 2))


def _checks(audit: Audit) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, style="cyan")
    table.add_column(overflow="fold")
    for check in audit.checks:
        mark = Text("passed", style="green") if check.passed else Text("failed", style="red")
        table.add_row(mark, check.id, Text(f"{check.title}: {check.evidence}"))
    return table


def _advice(audit: Audit) -> Iterator[RenderableType]:
    for item in audit.advice:
        yield Padding(Text(f"- {item.text}"), (0, 0, 0, 2))
        yield from (Padding(Text(place), (0, 0, 0, 4)) for place in item.places)


def _facts(pairs: list[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True, min_width=9)
    table.add_column(overflow="fold")
    for name, value in pairs:
        table.add_row(name, Text(value))
    return table
