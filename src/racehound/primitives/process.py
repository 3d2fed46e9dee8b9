"""What does something to the whole process: it cannot be raced, so it ends the execution that wants to do it.

In a forked process nothing is observed, and none of the other tasks would be there. One that is ended or becomes
another program takes the search along, and with `explore` the tests of the user.
"""

import os
import signal
from collections.abc import Callable
from functools import wraps
from typing import Final, NoReturn, ParamSpec, TypeVar

from racehound.engine.control import CONTROL
from racehound.errors import HarnessError
from racehound.primitives.replacement import Replacement

_P = ParamSpec("_P")
_R = TypeVar("_R")

_fork = os.fork
_kill = os.kill
_raise_signal = signal.raise_signal


def fork() -> int:
    _refuse("the code forks a process, in which nothing is observed")
    return _fork()


def kill(pid: int, sig: int, /) -> None:
    if pid == os.getpid():
        _refuse_fatal(sig)
    _kill(pid, sig)


def raise_signal(signalnum: int, /) -> None:
    _refuse_fatal(signalnum)
    _raise_signal(signalnum)


_HARMLESS: Final = frozenset(
    {signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH}
    if os.name == "posix"
    else ()  # pragma: needs a system without these
)


def _refuse_fatal(number: int) -> None:
    """End the execution if nobody has said what else a signal should do than end or stop the process."""
    if number == 0 or number in _HARMLESS or signal.getsignal(number) is not signal.SIG_DFL:
        return
    _refuse(f"the code ends or stops its process: {signal.Signals(number).name}")


def _ending(original: Callable[_P, _R], name: str) -> Callable[_P, _R]:
    @wraps(original)
    def ends(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        said = ", ".join(map(repr, args)) if name == "_exit" else ""
        _refuse(f"the code ends its process: os.{name}({said})")
        return original(*args, **kwargs)

    return ends


def _refuse(why: str) -> None:
    execution = CONTROL.in_charge()
    if execution is not None:
        execution.give_up(HarnessError(why))
    if CONTROL.sets_up():
        _fail(why)


def _fail(why: str) -> NoReturn:
    raise HarnessError(why)


REPLACEMENTS: Final = (
    Replacement(os, "fork", fork),
    Replacement(os, "kill", kill),
    Replacement(signal, "raise_signal", raise_signal),
    *(Replacement(os, name, _ending(getattr(os, name), name)) for name in ("_exit", "abort", "execv", "execve")),
)
