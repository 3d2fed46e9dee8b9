"""Whether a program keeps hold of an object.

asyncio keeps only weak references to its tasks. A task that nothing refers to, neither the state nor a result nor
another task that is held, cannot be awaited by anybody, and may be gone before it has ended.
"""

import gc
import types
from asyncio import AbstractEventLoop
from collections.abc import Iterable
from typing import Final

from racehound.engine.trace import Task
from racehound.scenario.hidden_state import cell_value

LIMIT: Final = 50_000
"""Objects to look at; beyond that everything counts as held."""

_ENDS = (
    types.ModuleType,
    type,
    AbstractEventLoop,
    types.CodeType,
    Task,  # of ours, to which a thread leads
    int,
    str,
    bytes,
    float,
)
"""What leads to everything, or to nothing."""


def is_reachable(wanted: object, roots: Iterable[object]) -> bool:
    """Whether references lead from one of the roots to an object."""
    stack = list(roots)
    seen: dict[int, object] = {}
    while stack:
        subject = stack.pop()
        if subject is wanted or len(seen) > LIMIT:
            return True
        if id(subject) in seen or isinstance(subject, _ENDS):
            continue
        seen[id(subject)] = subject
        stack.extend(_referents(subject))
    return False


def _referents(subject: object) -> Iterable[object]:
    if isinstance(subject, types.FunctionType):  # its globals lead to everything
        cells = (cell_value(cell) for cell in subject.__closure__ or ())
        return [*cells, *(subject.__defaults__ or ()), *(subject.__kwdefaults__ or {}).values()]
    return gc.get_referents(subject)  # of a built-in method what it is bound to: so a future leads to who waits
