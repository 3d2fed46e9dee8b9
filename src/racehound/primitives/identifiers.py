"""`uuid.uuid4`: identifiers that are the same in every execution, and different for every task that draws one.

A task is told by its descent: in which order two others have started theirs depends on the schedule.

What is drawn from `os.urandom` for other purposes stays a matter of chance, since programs toss coins with it:
they are to be seen making choices of their own.
"""

import hashlib
import os
import sys
from typing import Final

from racehound.engine.control import CONTROL
from racehound.primitives.replacement import Replacement

_urandom = os.urandom
_SET_UP: Final = "set-up"


def urandom(size: int, /) -> bytes:
    execution = CONTROL.in_charge()
    if sys._getframe(1).f_globals.get("__name__") != "uuid":  # noqa: SLF001 - for whom it is
        return _urandom(size)
    if execution is not None:
        task = execution.trace.tasks[execution.running]
        task.drawn += 1
        return _bytes(f"{task.lineage}:{task.drawn}", size)
    return _bytes(f"{_SET_UP}:{next(CONTROL.serials)}", size) if CONTROL.sets_up() else _urandom(size)


def _bytes(name: str, size: int) -> bytes:
    return hashlib.shake_128(name.encode()).digest(size)


REPLACEMENTS: Final = (Replacement(os, "urandom", urandom),)
