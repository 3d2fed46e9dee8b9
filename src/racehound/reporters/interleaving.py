"""The interleaving, drawn with one column per task; where so many do not fit, with one for all."""

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from racehound.model.proof import Proof
from racehound.reporters import wording

NARROWEST = 24
MARGIN = 14
"""Columns that the switch mark, the line number and the padding take."""


def interleaving(proof: Proof, width: int) -> Table:
    """One row per line of source that runs; `⇒` marks where control came from another task."""
    tasks = sorted({step.task for step in proof.timeline})
    room = (width - MARGIN) // len(tasks) - 3
    fits = room >= NARROWEST or len(tasks) == 1
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    table.add_column("", no_wrap=True)
    table.add_column("line", justify="right", style="dim", no_wrap=True)
    for name in [f"task {task + 1}" for task in tasks] if fits else ["task", ""]:
        table.add_column(name, min_width=NARROWEST if fits else None, overflow="fold")
    for row in wording.rows(proof.timeline, length=(room if fits else width - 2 * MARGIN) - 2):
        cell = Text.assemble((row.source, "bold"), *((f"\n  {text}", "yellow") for text in row.operations))
        mark = Text("⇒" if row.switch else "", style="bold magenta")
        cells = (cell if task == row.task else "" for task in tasks) if fits else (str(row.task + 1), cell)
        table.add_row(mark, row.place, *cells)
    return table
