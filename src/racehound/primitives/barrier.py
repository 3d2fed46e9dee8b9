"""`threading.Barrier`: exact on a controlled condition, but for what it lets others read without its lock."""

import threading
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.replacement import Replacement

_broken: Any = vars(threading.Barrier)["broken"]
_n_waiting: Any = vars(threading.Barrier)["n_waiting"]


def _look(barrier: Any) -> None:
    """Who looks sees what is written under the lock, so looking minds the lock."""
    execution = CONTROL.in_charge()
    if execution is not None:
        effect = Effect(execution.number(barrier._cond._lock), WHOLE, writes=False)  # noqa: SLF001 - where it keeps it
        execution.step(Operation(Kind.CHECK, (effect,), site=CONTROL.site, label="barrier"))


def broken(self: Any) -> bool:
    _look(self)
    return bool(_broken.fget(self))


def n_waiting(self: Any) -> int:
    _look(self)
    return int(_n_waiting.fget(self))


REPLACEMENTS: Final = (
    Replacement(threading.Barrier, "broken", property(broken)),
    Replacement(threading.Barrier, "n_waiting", property(n_waiting)),
)
