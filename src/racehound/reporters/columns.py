"""The interleaving as plain lines, for messages that must not need more than the standard library."""

from collections.abc import Sequence

from racehound.model.proof import Step
from racehound.reporters import wording

WIDTH = 100


def columns(timeline: Sequence[Step], *, width: int = WIDTH) -> list[str]:
    """One column per task; `=>` marks where control came from another task."""
    tasks = sorted({step.task for step in timeline})
    if not tasks:
        return []
    margin = 2 + max(5, *(len(row.place) for row in wording.rows(timeline, length=width)))
    room = max(16, (width - margin) // len(tasks) - 2)
    heads = "".join(f"  {f'task {task + 1}':<{room}}" for task in tasks)
    lines = [f"{'line':>{margin}}{heads}".rstrip()]
    for row in wording.rows(timeline, length=room - 2):
        indent = " " * (tasks.index(row.task) * (room + 2) + 2)
        lines.append(
            f"{'=>' if row.switch else '':2}{row.place:>{margin - 2}}{indent}{wording.clip(row.source, room)}"
        )
        lines += [f"{'':{margin}}{indent}  {operation}" for operation in row.operations]
    return lines
