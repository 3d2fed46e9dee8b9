"""Loops that wait by looking: `while not self.ready: pass`.

A task that looks at the same places again and again, and changes nothing, gets nowhere until somebody else
writes to one of them. It is not run until then; if nobody is left who could, that is a livelock.

A loop that would have ended by itself looks the same for a while. Such a task is let go on when nobody else
can, and if it does get further, the search has held it back where it need not have waited: a caveat.
"""

from racehound.engine.operation import Kind, ObjectId, Operation

PATIENCE = 100
"""Steps of a task before anybody suspects it."""
REPEATS = 30
"""How often the same look may be repeated without anything new."""
CHANCES = 2
"""How often a task is let go on although nobody has written."""
LONG_LOOP = "a long loop that only reads was not interrupted everywhere"

_CHANGES_NOTHING = frozenset({Kind.YIELD, Kind.TRY_ACQUIRE})

Look = tuple[object, ...]


def written_by(operation: Operation) -> frozenset[ObjectId]:
    """The objects that an operation changes, as far as somebody who looks at them could tell."""
    parts = operation.inner if operation.late else [operation]
    return frozenset(
        effect.subject
        for part in parts
        if part.kind not in _CHANGES_NOTHING
        for effect in part.effects
        if effect.writes
    )


def _look_of(operation: Operation) -> Look:
    if operation.late:
        return tuple(part.signature() for part in operation.inner)
    return operation.signature()


class Spin:
    """What one task has looked at since anything changed."""

    def __init__(self) -> None:
        self._looks: dict[Look, int] = {}
        self._subjects: set[ObjectId] = set()
        self._chances = 0
        self._let_go = False
        self.is_idle = False
        """Whether it is not worth running before somebody writes."""

    def note(self, operation: Operation, written: frozenset[ObjectId]) -> bool:
        """Count a step of the task; True if it has got further by itself after it was held back."""
        look = _look_of(operation)
        if written or (self._let_go and look not in self._looks):
            was_let_go = self._let_go
            self._forget()
            return was_let_go
        parts = operation.inner if operation.late else [operation]
        self._subjects.update(effect.subject for part in parts for effect in part.effects)
        self._looks[look] = self._looks.get(look, 0) + 1
        self.is_idle = self._looks[look] >= REPEATS * (self._chances + 1)
        return False

    def hear_of(self, written: frozenset[ObjectId]) -> None:
        """Somebody else has written."""
        if not self._subjects.isdisjoint(written):
            self._forget()

    def try_again(self) -> bool:
        """Nobody else can go on: whether the task is let go on, in case the loop ends by itself."""
        self._chances += 1
        self._let_go = True
        self.is_idle = self._chances > CHANCES
        return not self.is_idle

    def _forget(self) -> None:
        self._looks.clear()
        self._subjects.clear()
        self._chances = 0
        self._let_go = False
        self.is_idle = False
