"""`os.fork`: in another process nothing is observed, and none of the other tasks would be there."""

import os
from typing import Final

from racehound.engine.control import CONTROL
from racehound.errors import HarnessError
from racehound.primitives.replacement import Replacement

_fork = os.fork


def fork() -> int:
    execution = CONTROL.in_charge()
    if execution is not None:
        execution.give_up(HarnessError("the code forks a process, in which nothing is observed"))
    return _fork()


REPLACEMENTS: Final = (Replacement(os, "fork", fork),)
