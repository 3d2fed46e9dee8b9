"""Loops that wait by looking: `while not self.ready: pass`.

A task that comes back to the same place with the same local variables, and has only looked at things in between,
will do so for ever unless somebody else writes to one of them. It is not run until then; if nobody is left who
could, that is a livelock. Loops that count, collect or step through something change their variables, so they
are never taken for one that waits.
"""

from collections.abc import Callable, Hashable
from types import CoroutineType, FrameType
from typing import TYPE_CHECKING, Final

from racehound.engine.operation import Kind, ObjectId, Operation

if TYPE_CHECKING:
    from racehound.engine.trace import Task

PATIENCE = 100
"""Steps of a task before anybody suspects it."""
REPEATS = 20
"""How often it may look at the same before its variables are compared."""
RETURNS = 3
"""How often it must have been in the same state."""

_CHANGES_NOTHING = frozenset({Kind.YIELD, Kind.TRY_ACQUIRE})
_VALUES: Final = (int, float, complex, str, bytes, bool, type(None))
_OURSELVES: Final = __name__.partition(".")[0]

CLOCK: Final = "clock"
"""Label of an operation that reads the time, which moves on by itself for those who look at it."""

Look = tuple[object, ...]


def written_by(operation: Operation) -> frozenset[ObjectId]:
    """The objects that an operation changes, as far as somebody who looks at them could tell."""
    return frozenset(
        effect.subject
        for part in operation.parts
        if part.kind not in _CHANGES_NOTHING
        for effect in part.effects
        if effect.writes
    )


def state_of_frames(frame: FrameType | None) -> Hashable:
    """Where the program is and what its local variables hold; our own frames do not count."""
    frames: list[Hashable] = []
    while frame is not None:
        if not str(frame.f_globals.get("__name__")).startswith(_OURSELVES):
            frames.append((id(frame.f_code), frame.f_lasti, _held(frame)))
        frame = frame.f_back
    return tuple(frames)


def state_of_coroutine(coroutine: object) -> Hashable:
    """The same for a coroutine and those it awaits, while it is suspended."""
    frames: list[Hashable] = []
    while isinstance(coroutine, CoroutineType) and coroutine.cr_frame is not None:
        frame = coroutine.cr_frame
        frames.append((id(frame.f_code), frame.f_lasti, _held(frame)))
        coroutine = coroutine.cr_await
    return tuple(frames)


def _held(frame: FrameType) -> tuple[object, ...]:
    values = frame.f_locals.values()
    return tuple((type(value), value) if type(value) in _VALUES else id(value) for value in values)


class Spin:
    """What one task has looked at since anything changed."""

    def __init__(self) -> None:
        self._looks: dict[Look, int] = {}
        self._states: dict[Hashable, int] = {}
        self._subjects: set[ObjectId] = set()
        self._watches_clock = False
        self.is_idle = False
        """Whether it gets nowhere before somebody writes."""

    def note(
        self, operation: Operation, written: frozenset[ObjectId], state: Callable[[], Hashable], now: float
    ) -> None:
        """Count a step of the task."""
        parts = operation.parts
        if written or any(part.kind is Kind.ITERATE for part in parts):  # an iterator has moved on
            self._forget()
            return
        self._subjects.update(effect.subject for part in parts for effect in part.effects)
        look = tuple(part.signature() for part in parts)
        self._looks[look] = self._looks.get(look, 0) + 1
        self._watches_clock |= any(part.label == CLOCK and part.kind is Kind.READ for part in parts)
        if self._looks[look] > REPEATS:
            key = (look, state(), now if self._watches_clock else None)
            self._states[key] = self._states.get(key, 0) + 1
            self.is_idle = self._states[key] >= RETURNS

    def hear_of(self, written: frozenset[ObjectId]) -> None:
        """Somebody else has written."""
        if not self._subjects.isdisjoint(written):
            self._forget()

    def _forget(self) -> None:
        self._looks.clear()
        self._states.clear()
        self._subjects.clear()
        self._watches_clock = False
        self.is_idle = False


class Suspects(list["Task"]):
    """Tasks that have made so many steps that they may be spinning."""

    def watch(self, task: "Task", operation: Operation, now: float) -> None:
        """The task has made a step."""
        written = written_by(operation)
        for other in self:
            if other is not task and other.spin is not None:
                other.spin.hear_of(written)
        if task.steps <= PATIENCE:
            return
        if task.spin is None:
            task.spin = Spin()
            self.append(task)
        task.spin.note(operation, written, task.state, now)
