"""What the tasks of an execution have printed and logged, whoever of them did."""

from racehound.engine.trace import Trace

Said = tuple[tuple[str, ...], ...]
"""The lines of each task that said anything, in an order that no task has a part in."""


def said_in(trace: Trace) -> Said:
    lines: dict[int, list[str]] = {}
    for task, text in trace.said:
        lines.setdefault(task, []).append(text)
    return tuple(sorted(map(tuple, lines.values())))
