"""SIGTERM and SIGINT end the call like an exception, so that every lock is released."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from racehound.guard.cancelled import Cancelled

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def cancellable() -> Iterator[None]:
    """Raises `Cancelled` at the first signal; a second one ends the process at once.

    Python runs signal handlers in the main thread only, so in any other thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = {number: signal.signal(number, _cancel) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _cancel(number: int, frame: FrameType | None) -> None:
    del frame
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_DFL)
    raise Cancelled(number)
