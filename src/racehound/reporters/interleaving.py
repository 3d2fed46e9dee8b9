"""The interleaving, drawn with one column per task."""

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
    room = max(NARROWEST, (width - MARGIN) // len(tasks) - 3)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    table.add_column("", no_wrap=True)
    table.add_column("line", justify="right", style="dim", no_wrap=True)
    for task in tasks:
        table.add_column(f"task {task + 1}", min_width=min(room, NARROWEST), overflow="fold")
    for row in wording.rows(proof.timeline, length=room - 2):
        cell = Text.assemble((row.source, "bold"), *((f"\n  {text}", "yellow") for text in row.operations))
        mark = Text("⇒" if row.switch else "", style="bold magenta")
        table.add_row(mark, row.place, *(cell if task == row.task else "" for task in tasks))
    return table
