"""Real threads of the plain interpreter that run freely but for the places at which they are held.

A thread is held just before a chosen instruction of a chosen line. Nothing else about it is changed: its locks,
its clocks and its code are the program's own.
"""

import sys
import threading
from _thread import get_ident
from collections.abc import Callable, Collection, Sequence
from time import monotonic

from racehound.scenario.instructions import Listener, listen
from racehound.scenario.turns import Place, Stops, Turn

PATIENCE = 0.3
"""Seconds after which a thread that neither ends nor reaches its place is taken to be waiting for another."""
END = 1.0
"""Seconds in which threads that nobody holds have to end."""


class HeldThread:
    """Runs a body; stops where it is told to and goes on when it is told to."""

    def __init__(self, places: Collection[Place]) -> None:
        self._go = threading.Event()
        self._rests = threading.Event()
        self._turn = Turn(0)
        self._left = 0
        self.passed: dict[Place, list[str]] = {place: [] for place in places}
        """The visible instructions at the places in question, in the order in which they were reached."""
        self._thread = threading.Thread()

    def start(self, body: Callable[[], object], listener: Listener) -> int:
        """Begin to wait for the first turn; the identity of the thread."""
        self._thread = threading.Thread(target=self._run, args=(body, listener), daemon=True)
        self._thread.start()
        return self._thread.ident or 0

    def take(self, turn: Turn, stop: int) -> None:
        """Let the thread run until it is held, has ended, or seems to wait for another thread."""
        self._turn, self._left = turn, stop
        self._rests.clear()
        self._go.set()
        self._rests.wait(PATIENCE)

    def release(self) -> None:
        self._left = 0
        self._go.set()

    def has_ended(self, deadline: float) -> bool:
        self._thread.join(max(0.0, deadline - monotonic()))
        return not self._thread.is_alive()

    def where(self) -> list[Place]:
        """The lines that the thread is on now, the innermost first."""
        frame = sys._current_frames().get(self._thread.ident or 0)  # noqa: SLF001 - the documented way to ask
        places: list[Place] = []
        while frame is not None:
            places.append((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        return places

    def reach(self, place: Place, name: str) -> None:  # pragma: needs tracing of tracers
        """The thread itself comes by, just before an instruction."""
        self.passed[place].append(name)
        if place == self._turn.place and self._left > 0:
            self._left -= 1
            if self._left == 0:
                self._rests.set()
                self._rest()

    def _run(self, body: Callable[[], object], listener: Listener) -> None:
        self._rest()
        listener.begin()
        try:
            body()
        finally:
            listener.end()
            self._rests.set()

    def _rest(self) -> None:
        self._go.wait()
        self._go.clear()


def run_turns(
    bodies: Sequence[Callable[[], object]], turns: Sequence[Turn], stops: Stops
) -> tuple[dict[int, list[Place]], list[HeldThread]]:
    """Where the threads are that did not come to their end, after each has had its turns."""
    places = {turn.place for turn in turns}
    threads = [HeldThread(places) for _ in bodies]
    known: dict[int, HeldThread] = {}

    def hear(place: Place, name: str) -> None:  # pragma: needs tracing of tracers
        if get_ident() in known:  # threads that the code starts itself run freely
            known[get_ident()].reach(place, name)

    listener = listen(places, hear)
    for thread, body in zip(threads, bodies, strict=True):
        known[thread.start(body, listener)] = thread
    for turn, stop in zip(turns, stops, strict=True):
        threads[turn.task].take(turn, stop)
    for thread in threads:
        thread.release()
    deadline = monotonic() + END
    late = {task: thread for task, thread in enumerate(threads) if not thread.has_ended(deadline)}
    return {task: thread.where() for task, thread in late.items()}, threads
