"""The interleaving in plain text, for places that take nothing but text."""

from collections.abc import Sequence

from racehound.model.proof import Step
from racehound.reporters import wording

WIDTH = 44


def columns(timeline: Sequence[Step]) -> list[str]:
    """One line per operation, one column per task; `>` marks where control came from another task."""
    tasks = sorted({step.task for step in timeline})
    if not tasks:
        return []
    lines = ["      line  " + "".join(f"task {task + 1}".ljust(WIDTH) for task in tasks).rstrip()]
    for row in wording.rows(timeline, length=WIDTH - 4):
        texts = [row.source, *(f"  {text}" for text in row.operations)]
        indent = " " * (WIDTH * tasks.index(row.task))
        lines.append(f"  {'>' if row.switch else ' '} {row.line:>6}  {indent}{texts[0]}".rstrip())
        lines.extend(f"{' ' * 12}{indent}{text}".rstrip() for text in texts[1:])
    return lines
