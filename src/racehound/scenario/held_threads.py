"""Real threads of the plain interpreter that run freely but for the places at which they are held.

A thread is held just before a chosen instruction of a chosen line; one that the program starts itself is also held
before it begins, until its first turn. Nothing else about it is changed: its locks, its clocks and its code are
the program's own.
"""

import sys
import threading
from _thread import allocate_lock, get_ident
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from time import monotonic

from racehound.scenario.instructions import Listener, listen
from racehound.scenario.plain_background import is_idle
from racehound.scenario.plain_waits import Stand, stand_of
from racehound.scenario.turns import Place, Script, Stops, Turn

PATIENCE = 0.3
"""Seconds after which a thread that neither ends nor reaches its place is taken to be waiting for another."""
LOOK_AGAIN = 0.01
LOOKS = 5
"""As often it has to be seen in the same place to be taken so at once."""
END = 1.0
"""Seconds in which threads that nobody holds have to end."""


class Gate:
    """Lets one through each time it is opened; not an event, since these wait where threads can be held."""

    def __init__(self) -> None:
        self._lock = allocate_lock()
        self._lock.acquire()

    def open(self) -> None:
        with suppress(RuntimeError):  # it is open already
            self._lock.release()

    def pass_through(self) -> None:
        self._lock.acquire()


class HeldThread:
    """Stops where it is told to and goes on when it is told to."""

    def __init__(self, places: Collection[Place]) -> None:
        self._go = Gate()
        self._rests = threading.Event()
        self._ended = threading.Event()
        self._turn = Turn(0)
        self._left = 0
        self.passed: dict[Place, list[str]] = {place: [] for place in places}
        """The visible instructions at the places in question, in the order in which they were reached."""
        self.ident = 0
        """Of the thread while it runs."""
        self.is_expected = False
        """Whether there is such a thread, or will be at once."""

    def carry(self, body: Callable[[], object], listener: Listener) -> None:
        """Called on the thread itself: wait for the first turn, then run."""
        self.ident = get_ident()
        self._rest()
        listener.begin()
        try:
            body()
        finally:  # pragma: needs tracing of tracers
            listener.end()
            self.ident = 0
            self._ended.set()
            self._rests.set()

    def take(self, turn: Turn, stop: int) -> None:
        """Let the thread run until it is held, has ended, or seems to wait for another thread."""
        self._turn, self._left = turn, stop
        if not self._ended.is_set():
            self._rests.clear()
        self._go.open()
        deadline = monotonic() + PATIENCE
        stands: list[Stand | None] = []
        while not self._rests.wait(LOOK_AGAIN) and monotonic() < deadline:
            stands.append(stand_of(self.ident))
            if is_idle(self.ident) or _is_still(stands):
                return

    def release(self) -> None:
        self._left = 0
        self._go.open()

    def has_ended(self, deadline: float) -> bool:
        """Whether it comes to its end by then, or has nothing to do."""
        while self.is_expected and not self._ended.wait(LOOK_AGAIN) and not is_idle(self.ident):
            if monotonic() > deadline:
                return False
        return True

    def where(self) -> list[Place]:
        """The lines that the thread is on now, the innermost first."""
        frame = sys._current_frames().get(self.ident)  # noqa: SLF001 - the documented way to ask
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

    def _rest(self) -> None:
        self._go.pass_through()


def _is_still(stands: Sequence[Stand | None]) -> bool:
    """Whether a thread has been waiting at one place for a while."""
    return len(stands) > LOOKS and stands[-1] is not None and len(set(stands[-LOOKS:])) == 1


class Company:
    """The threads of one run: those of the scenario, and those that they start."""

    def __init__(self, tasks: Collection[int], script: Script) -> None:
        self._script = script
        self.threads = {number: HeldThread(script.places) for number in (*tasks, *script.started)}
        self._waited_for = list(tasks)
        self._listener = listen(script.places, self._hear)
        self._coming = {parent: list(children) for parent, children in script.children.items()}

    def _hear(self, place: Place, name: str) -> None:  # pragma: needs tracing of tracers
        number = self._here()
        if number is not None:
            self.threads[number].reach(place, name)

    def _here(self) -> int | None:  # pragma: needs tracing of tracers
        """The number of the calling thread, if it is one of the company."""
        return next((number for number, thread in list(self.threads.items()) if thread.ident == get_ident()), None)

    def begin(self, bodies: Mapping[int, Callable[[], object]]) -> None:
        for number, body in bodies.items():
            held = self.threads[number]
            held.is_expected = True
            threading.Thread(target=held.carry, args=(body, self._listener), daemon=False).start()

    def adopt(self, thread: threading.Thread) -> None:  # pragma: needs tracing of tracers
        """Called by whoever is about to start a thread."""
        parent = self._here()
        if parent is None:
            return
        coming = self._coming.get(parent)
        number = coming.pop(0) if coming else max(self.threads) + 1  # that it starts at all is this run's doing
        held = self.threads.setdefault(number, HeldThread(self._script.places))
        held.is_expected = True
        if not thread.daemon:
            self._waited_for.append(number)
        if number not in self._script.taking_turns and not isinstance(thread, threading.Timer):
            held.release()

        def run() -> None:
            del vars(thread)["run"]
            held.carry(thread.run, self._listener)

        vars(thread)["run"] = run

    def take_turns(self, stops: Stops) -> None:
        for turn, stop in zip(self._script.turns, stops, strict=True):
            self.threads[turn.task].take(turn, stop)
        for thread in list(self.threads.values()):
            thread.release()

    def late(self, seconds: float) -> dict[int, HeldThread]:
        """Those that do not come to an end in time, but for those that nobody would wait for."""
        deadline = monotonic() + seconds
        numbers = dict.fromkeys([*self._waited_for, *self.threads])
        late = [
            number for number in numbers if not self.threads[number].has_ended(self._patience(number, deadline))
        ]
        return {number: self.threads[number] for number in late if number in self._waited_for}

    def _patience(self, number: int, deadline: float) -> float:
        return deadline if number in self._waited_for else min(deadline, monotonic() + PATIENCE)


def run_turns(
    bodies: Mapping[int, Callable[[], object]], script: Script, stops: Stops, *, end: float = END
) -> tuple[dict[int, HeldThread], dict[int, HeldThread]]:
    """The threads that did not come to their end, after each has had its turns, and all of them."""
    company = Company(bodies.keys(), script)
    company.begin(bodies)
    start = threading.Thread.start

    def adopted(self: threading.Thread) -> None:  # pragma: needs tracing of tracers
        company.adopt(self)
        start(self)

    threading.Thread.start = adopted  # type: ignore[method-assign]  # to learn who starts whom
    try:
        company.take_turns(stops)
        return company.late(end), company.threads
    finally:
        threading.Thread.start = start  # type: ignore[method-assign]  # likewise
