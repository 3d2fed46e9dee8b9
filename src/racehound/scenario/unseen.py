"""Whether everything that tasks have changed is part of what is compared.

An outcome is what can be found from the state and the results. An object that several tasks use and one of them
changes, that a program can still get at, and that is not found there, has an end that nobody has looked at: a
search that found nothing says nothing of it.
"""

import collections
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from racehound.engine.trace import Trace
from racehound.scenario.data import is_inner_class, is_of_program
from racehound.scenario.holding import is_reachable
from racehound.scenario.snapshot import MACHINERY, reached

if TYPE_CHECKING:
    from racehound.engine.operation import ObjectId
    from racehound.model.schedule import TaskId

_CONTAINERS: Final = (list, dict, set, collections.deque, bytearray)


def unseen_in(trace: Trace, roots: Mapping[str, object]) -> set[str]:
    """Why what the execution has left was not compared as a whole."""
    changed = {id(subject): subject for subject in _changed_together(trace)}
    if not changed:
        return set()
    seen = reached(roots)
    missed = [subject for address, subject in changed.items() if address not in seen]
    return {
        f"a {_name(subject)} is shared and changed, and is not part of the state that is compared"
        for subject in missed
        if isinstance(subject, type) or is_reachable(subject, roots.values())
    }


def _changed_together(trace: Trace) -> Iterator[object]:
    """The objects that one task has changed and another has used."""
    users: dict[ObjectId, set[TaskId]] = {}
    changed: dict[ObjectId, None] = {}
    for task, operation in trace.raced:
        for subject, _, writes in operation.effects:
            users.setdefault(subject, set()).add(task)
            if writes:
                changed[subject] = None
    found = (trace.object_of(number) for number in changed if len(users[number]) > 1)
    return (subject for subject in found if _is_state(subject))


def _is_state(subject: object) -> bool:
    if isinstance(subject, type):
        return is_inner_class(subject)  # the others are compared wherever they are
    return isinstance(subject, _CONTAINERS) or (
        is_of_program(type(subject)) and not isinstance(subject, MACHINERY)
    )


def _name(subject: object) -> str:
    return f"class {subject.__qualname__}" if isinstance(subject, type) else type(subject).__qualname__
