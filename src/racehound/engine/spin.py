"""Loops that wait by looking: `while not self.ready: pass`.

A task that comes back to the same place with the same local variables, and has only looked at things in between,
will do so for ever unless somebody else writes to one of them. It is not run until then; if nobody is left who
could, that is a livelock. Loops that count, collect or step through something change their variables, so they
are never taken for one that waits.
"""

import gc
from collections.abc import Callable, Hashable, Sequence
from types import AsyncGeneratorType, CoroutineType, FrameType, GeneratorType
from typing import TYPE_CHECKING, Final

from racehound.engine.loops import takes_items
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
_NOTHING: Final[frozenset[ObjectId]] = frozenset()
_VALUES: Final = (int, float, complex, str, bytes, bool, type(None))
_OURSELVES: Final = __name__.partition(".")[0]
_LIBRARY: Final = "asyncio."

CLOCK: Final = "the clock"
SLEEP: Final = "sleep"
"""Label of an operation that reads the time, which moves on by itself for those who look at it."""

Look = tuple[object, ...]


def written_by(operation: Operation) -> frozenset[ObjectId]:
    """The objects that an operation changes, as far as somebody who looks at them could tell."""
    if not any(effect.writes for effect in operation.effects) and not operation.late:
        return _NOTHING
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
    return _state_of(_frames_of(coroutine)[0])


def state_of_sleeper(coroutine: object) -> Hashable | None:
    """The same for one that sleeps, or lets others go first, in a loop that takes no items.

    None where something else is awaited, which cannot be looked into.
    """
    frames, awaited = _frames_of(coroutine)
    is_asleep = type(awaited).__name__ == "FutureIter" or _is_no_sleep(awaited)
    return _state_of(frames) if is_asleep and not takes_items(reversed(frames)) else None


def lets_others_go(coroutine: object) -> bool:
    """Whether it stands at `asyncio.sleep(0)`, which waits for nothing."""
    return _is_no_sleep(_frames_of(coroutine)[1])


def _is_no_sleep(awaited: object) -> bool:
    return isinstance(awaited, GeneratorType) and awaited.__name__ == "__sleep0"


def _state_of(frames: Sequence[FrameType]) -> Hashable:
    return tuple((id(frame.f_code), frame.f_lasti, _held(frame)) for frame in frames)


def _frames_of(coroutine: object) -> tuple[list[FrameType], object]:
    """Where it and those it awaits stand, and what the last of them awaits."""
    frames: list[FrameType] = []
    frame, awaited = _suspended(coroutine)
    while frame is not None:
        frames.append(frame)
        coroutine = awaited
        frame, awaited = _suspended(coroutine)
    return frames, coroutine


def _suspended(coroutine: object) -> tuple[FrameType | None, object]:
    """Where a coroutine stands and what it awaits, or the generator that somebody asks for its next item."""
    if isinstance(coroutine, CoroutineType):
        return coroutine.cr_frame, coroutine.cr_await
    if type(coroutine).__name__ == "async_generator_asend":
        asked = [item for item in gc.get_referents(coroutine) if isinstance(item, AsyncGeneratorType)]
        return (asked[0].ag_frame, asked[0].ag_await) if asked else (None, None)
    return None, None


def _held(frame: FrameType) -> tuple[object, ...]:
    """Objects count by their identity, but those of asyncio itself, which makes a future for each sleep."""
    values = frame.f_locals.values()
    is_own = str(frame.f_globals.get("__name__")).startswith(_LIBRARY)
    return tuple(
        (type(value), value) if type(value) in _VALUES else None if is_own else id(value) for value in values
    )


class Spin:
    """What one task has looked at since anything changed."""

    def __init__(self) -> None:
        self._looks: dict[Look, int] = {}
        self._states: dict[Hashable, int] = {}
        self._subjects: set[ObjectId] = set()
        self.watches_clock = False
        """Whether the time is among it."""
        self.is_idle = False
        """Whether it gets nowhere before somebody writes."""

    def note(
        self, operation: Operation, written: frozenset[ObjectId], state: Callable[[], Hashable], now: float
    ) -> None:
        """Count a step of the task."""
        parts = operation.parts
        if written or any(part.kind is Kind.ITERATE for part in parts):  # an iterator has moved on
            self.forget()
            return
        self._subjects.update(effect.subject for part in parts for effect in part.effects)
        look = tuple(part.signature() for part in parts)
        self._looks[look] = self._looks.get(look, 0) + 1
        self.watches_clock |= any(part.label == CLOCK and part.kind is Kind.READ for part in parts)
        if self._looks[look] > REPEATS:
            key = (look, state(), now if self.watches_clock else None)
            self._states[key] = self._states.get(key, 0) + 1
            self.is_idle = self._states[key] >= RETURNS

    def rest(self, operation: Operation) -> None:
        """It will do nothing but this again and again."""
        self._subjects.update(effect.subject for part in operation.parts for effect in part.effects)
        self.is_idle = True

    def hear_of(self, written: frozenset[ObjectId]) -> None:
        """Somebody else has written."""
        if not self._subjects.isdisjoint(written):
            self.forget()

    def forget(self) -> None:
        """Begin anew: it may find something else now."""
        self._looks.clear()
        self._states.clear()
        self._subjects.clear()
        self.watches_clock = False
        self.is_idle = False


class Suspects(list["Task"]):
    """Tasks that have made so many steps that they may be spinning."""

    def lay_to_rest(self, task: "Task", operation: Operation) -> None:
        """The task does nothing but this again and again, as somebody else has found out."""
        self._suspected(task).rest(operation)

    def _suspected(self, task: "Task") -> Spin:
        if task.spin is None:
            task.spin = Spin()
            self.append(task)
        return task.spin

    def watch(self, task: "Task", operation: Operation, now: float) -> None:
        """The task has made a step."""
        written = written_by(operation)
        for other in self:
            if other is not task and other.spin is not None:
                other.spin.hear_of(written)
        if task.steps <= PATIENCE:
            return
        self._suspected(task).note(operation, written, task.state, now)
