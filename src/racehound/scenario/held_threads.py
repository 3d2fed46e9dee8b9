"""Real threads of the plain interpreter that run freely but for the places at which they are held.

A thread is held by its trace function just before a chosen instruction of a chosen line. Nothing else about it is
changed: its locks, its clocks and its code are the program's own.
"""

import dis
import sys
import threading
import types
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from time import monotonic
from typing import Any

from racehound.scenario.turns import VISIBLE, Place, Stops, Turn

PATIENCE = 0.3
"""Seconds after which a thread that neither ends nor reaches its place is taken to be waiting for another."""
END = 1.0
"""Seconds in which threads that nobody holds have to end."""


class HeldThread:
    """Runs a body; stops where it is told to and goes on when it is told to."""

    def __init__(self, body: Callable[[], object], places: Iterable[Place]) -> None:
        self._go = threading.Event()
        self._rests = threading.Event()
        self._turn = Turn(0)
        self._left = 0
        self.passed: dict[Place, list[str]] = {place: [] for place in places}
        """The visible instructions on the lines in question, in the order in which they were reached."""
        self._files = {path for path, _ in self.passed}
        self._thread = threading.Thread(target=self._run, args=(body,), daemon=True)
        self._thread.start()

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
        """The lines of the files in question that the thread is on now, the innermost first."""
        frame = sys._current_frames().get(self._thread.ident or 0)  # noqa: SLF001 - the documented way to ask
        places: list[Place] = []
        while frame is not None:
            if frame.f_code.co_filename in self._files:
                places.append((frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        return places

    def _run(self, body: Callable[[], object]) -> None:
        self._rest()
        sys.settrace(self._enter)
        try:
            body()
        finally:
            sys.settrace(None)
            self._rests.set()

    def _rest(self) -> None:
        self._go.wait()
        self._go.clear()

    def _enter(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        del event, arg
        if frame.f_code.co_filename not in self._files:
            return None
        frame.f_trace_opcodes = True
        return self._step

    def _step(self, frame: types.FrameType, event: str, arg: Any) -> Any:
        del arg
        place = frame.f_code.co_filename, frame.f_lineno
        if event == "opcode" and place in self.passed:
            name = names_of(frame.f_code).get(frame.f_lasti, "")
            if name in VISIBLE:
                self.passed[place].append(name)
                if place == self._turn.place:
                    self._perhaps_hold()
        return self._step

    def _perhaps_hold(self) -> None:
        if self._left > 0:
            self._left -= 1
            if self._left == 0:
                self._rests.set()
                self._rest()


@cache
def names_of(code: types.CodeType) -> dict[int, str]:
    """The names of instructions by offset, as the compiler wrote them."""
    return {instruction.offset: instruction.opname for instruction in dis.get_instructions(code)}


def run_turns(
    bodies: Sequence[Callable[[], object]], turns: Sequence[Turn], stops: Stops
) -> tuple[dict[int, list[Place]], list[HeldThread]]:
    """Where the threads are that did not come to their end, after each has had its turns."""
    places = {turn.place for turn in turns}
    threads = [HeldThread(body, places) for body in bodies]
    for turn, stop in zip(turns, stops, strict=True):
        threads[turn.task].take(turn, stop)
    for thread in threads:
        thread.release()
    deadline = monotonic() + END
    late = {task: thread for task, thread in enumerate(threads) if not thread.has_ended(deadline)}
    return {task: thread.where() for task, thread in late.items()}, threads
