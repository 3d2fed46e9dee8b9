"""The interleaving as plain lines, for messages that must not need more than the standard library."""

from collections.abc import Iterator, Sequence

from racehound.model.proof import Step
from racehound.reporters import wording

WIDTH = 100
MARGIN = 9
"""Columns that the switch mark and the line number take."""


def columns(timeline: Sequence[Step], *, width: int = WIDTH) -> list[str]:
    """One column per task; `=>` marks where control came from another task."""
    tasks = sorted({step.task for step in timeline})
    if not tasks:
        return []
    room = max(16, (width - MARGIN) // len(tasks) - 2)
    heads = "".join(f"  {f'task {task + 1}':<{room}}" for task in tasks)
    return [f"{'line':>{MARGIN - 2}}{heads}".rstrip(), *_lines(timeline, tasks, room)]


def _lines(timeline: Sequence[Step], tasks: list[int], room: int) -> Iterator[str]:
    for row in wording.rows(timeline, length=room):
        indent = " " * (tasks.index(row.task) * (room + 2) + 2)
        yield f"{'=>' if row.switch else '':2}{row.line:>{MARGIN - 4}}{indent}{row.source}"
        for operation in row.operations:
            yield f"{'':{MARGIN - 2}}{indent}  {wording.clip(operation, room - 2)}"
