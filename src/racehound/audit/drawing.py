"""An interleaving as a report draws it: the calls that matter, told apart by command."""

from collections.abc import Iterator

from racehound.audit.points import shared_paths
from racehound.model.audit import DrawnCall
from racehound.processes.outcome import Interleaving, Step

MOST = 60


def drawn(meeting: Interleaving, *, exchanged: bool) -> tuple[DrawnCall, ...]:
    """The calls on paths that both touch, repeated writes folded, in the order in which they happened."""
    shared = shared_paths(meeting.first.calls, meeting.second.calls)
    wanted = [
        step for step in meeting.steps if step.call.outside is False and shared.intersection(step.call.paths)
    ]
    return tuple(_calls(wanted, exchanged=exchanged))[:MOST]


def _calls(steps: list[Step], *, exchanged: bool) -> Iterator[DrawnCall]:
    before: DrawnCall | None = None
    for step in steps:
        task = int((step.actor == "second") != exchanged)
        path = f"{step.call.other_path} → {step.call.path}" if step.call.other_path else step.call.path
        switch = before is not None and before.task != task
        call = DrawnCall(task=task, call=step.call.name, path=path, switch=switch)
        if before is None or switch or (before.call, before.path) != (call.call, call.path):
            yield call
        before = call
