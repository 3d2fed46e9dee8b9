"""How time passes for those who wait for it.

A wait for a time ends at the very moment that it was to end. Real ones always end a little late, and there are
programs that need it: who finds that the moment has come but is not past, and waits for the nothing that is left,
or only looks at the clock until it is late enough, would do so for ever. For them some time passes, and more each
time.
"""

from collections.abc import Iterable

from racehound.engine.control import CONTROL
from racehound.engine.trace import Task

LEAST, MOST = 1e-6, 1.0
"""Seconds that pass at once for those who wait for nothing again and again."""
BELIEVED = 100_000.0
"""Seconds for which it is believed that who looks at the clock waits for the time."""


def due_after(task: Task, now: float, seconds: float) -> float:
    """When a task wakes up that waits so long from now on."""
    until = now + seconds
    if until <= now == task.due:
        task.patience = min(max(2 * task.patience, LEAST), MOST)
        until = now + task.patience
    elif until > now:
        task.patience = 0.0
        until += CONTROL.lateness
        CONTROL.waited = True
    task.due = until
    return until


def time_passed_for(idle: Iterable[Task]) -> float:
    """The time that passes for tasks that could only go on in vain, if some of them watch the clock; else none."""
    spins = [(task, task.spin) for task in idle if task.spin is not None and task.spin.watches_clock]
    for task, spin in spins:
        task.patience = max(2 * task.patience, LEAST)
        spin.forget()
    passed = max((task.patience for task, _ in spins), default=0.0)
    return passed if passed < BELIEVED else 0.0
