"""What operations leave running in the background on the plain interpreter."""

import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import thread as pools
from contextlib import contextmanager
from time import monotonic

REST = 1.0
"""Seconds in which the background has to come to rest."""
SHORT_REST = 0.3
"""The same for threads that nobody waits for."""
_LOOK_AGAIN = 0.002


def come_to_rest() -> None:
    """Wait for the threads that the code has started: until they have ended, or wait for work in a pool."""
    now = monotonic()
    own = threading.current_thread()
    for thread in [found for found in threading.enumerate() if found is not own]:
        deadline = now + (SHORT_REST if thread.daemon else REST)
        while thread.is_alive() and not is_idle(thread.ident) and monotonic() < deadline:
            time.sleep(_LOOK_AGAIN)


def is_idle(ident: int | None) -> bool:
    """Whether the thread is the worker of a pool, and has nothing to do."""
    frame = sys._current_frames().get(ident or 0)  # noqa: SLF001 - the documented way to ask
    if frame is None or frame.f_code is not pools._worker.__code__:  # noqa: SLF001 - what workers run
        return False
    return bool(frame.f_locals["work_queue"].empty())


@contextmanager
def timers_on_call(gate: threading.Event) -> Iterator[None]:
    """Timers do not wait for their time but for a sign: how long they would wait is not what a race is about."""
    original = threading.Timer.run

    def run(self: threading.Timer) -> None:
        gate.wait()
        if not self.finished.is_set():
            self.function(*self.args, **self.kwargs)
        self.finished.set()

    threading.Timer.run = run  # type: ignore[method-assign, assignment]  # for this run alone
    try:
        yield
    finally:
        threading.Timer.run = original  # type: ignore[method-assign]  # likewise
