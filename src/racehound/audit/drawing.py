"""An interleaving as a report draws it: the calls that matter, told apart by command."""

from collections.abc import Iterable, Iterator

from racehound.audit.points import shared_paths
from racehound.model.audit import DrawnCall
from racehound.processes.outcome import Interleaving, Step

MOST = 60
LONGEST_ROUND = 4


def drawn(meeting: Interleaving, *, exchanged: bool) -> tuple[DrawnCall, ...]:
    """The calls on paths that both touch, repetitions folded, in the order in which they happened."""
    shared = shared_paths(meeting.first.calls, meeting.second.calls)
    wanted = [
        step for step in meeting.steps if step.call.outside is False and shared.intersection(step.call.paths)
    ]
    return tuple(_folded(_calls(wanted, exchanged=exchanged)))[:MOST]


def _calls(steps: list[Step], *, exchanged: bool) -> Iterator[DrawnCall]:
    before: int | None = None
    for step in steps:
        task = int((step.actor == "second") != exchanged)
        path = f"{step.call.other_path} → {step.call.path}" if step.call.other_path else step.call.path
        yield DrawnCall(task=task, call=step.call.name, path=path, switch=before not in {None, task})
        before = task


def _folded(calls: Iterable[DrawnCall]) -> list[DrawnCall]:
    """Once what a command does again and again, as when it waits for a lock file."""
    kept: list[DrawnCall] = []
    for call in calls:
        kept.append(call)
        for length in range(1, LONGEST_ROUND + 1):
            if _is_repeated(kept[-2 * length :], length):
                del kept[-length:]
    return kept


def _is_repeated(calls: list[DrawnCall], length: int) -> bool:
    if len(calls) < 2 * length or any(call.switch for call in calls[length:]):
        return False
    once, again = ([(call.call, call.path) for call in part] for part in (calls[:length], calls[length:]))
    return once == again
