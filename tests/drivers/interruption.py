"""A signal handler that raises, at a moment of one's choice.

Python runs handlers where a function begins and where a call of C code has returned. A profiler hears of both, and
what it raises there comes up as the exception of a handler would.
"""

import sys
from collections.abc import Callable, Iterator
from threading import Thread
from types import FrameType

OURS = "/racehound/guard/"


class Interrupted(BaseException):
    """What the handler raised."""


def interrupted_at(moment: int, action: Callable[[], object]) -> str | None:
    """Where the handler came in, as the name of a function; None if the action had ended before."""
    left = moment
    place: str | None = None

    def listen(frame: FrameType, event: str, argument: object) -> None:
        del argument
        nonlocal left, place
        code = frame.f_code
        if event in {"call", "c_return"} and is_interruptible(frame):
            left -= 1
            if left < 0:
                sys.setprofile(None)
                place = f"{event} {code.co_qualname}"
                raise Interrupted

    sys.setprofile(listen)
    try:
        action()
    except Interrupted:
        return place
    finally:
        sys.setprofile(None)
    return None


def is_interruptible(frame: FrameType) -> bool:
    """Ours, and the start of a thread; but what is raised in a finalizer goes nowhere."""
    if OURS not in frame.f_code.co_filename and frame.f_code is not Thread.start.__code__:
        return False
    caller: FrameType | None = frame
    while caller is not None and caller.f_code.co_name != "__del__":
        caller = caller.f_back
    return caller is None


def each_interrupt(action: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> Iterator[str]:
    """Interrupt the action at its first moment, at its second, and so on until it runs to its end."""
    moment = 0
    while True:
        prepare()
        place = interrupted_at(moment, action)
        if place is None:
            return
        yield place
        moment += 1
