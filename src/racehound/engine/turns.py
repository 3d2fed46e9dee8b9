"""Turns of strands: tasks that share the thread of an event loop and go on until they suspend themselves.

One turn is one operation for the search, as long as there are no other threads, which may come in anywhere. What
it consists of is recorded while it runs, and its effects are known once it is over.
"""

from collections.abc import Callable
from typing import Final

from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation, never
from racehound.engine.spin import PATIENCE, Suspects
from racehound.engine.trace import Task


class Turns:
    """The turn of the strand that is running, if one is."""

    def __init__(self, number_of: Callable[[tuple[str, ...]], ObjectId], suspects: Suspects) -> None:
        self._number_of = number_of
        self._suspects = suspects
        self.current: Operation | None = None
        """What the running strand has done since it went on; nothing is published before its turn is over."""
        self._effects: dict[Effect, None] = {}

    def begin(self, strand: Task) -> None:
        """The strand goes on where it had suspended itself."""
        self._begin(strand.pending)
        self.touch(self._loop_of(strand, splits=False))
        self.touch(self.presence_of_threads(changes=False))

    def go_on(self, strand: Task) -> None:
        """What is left of a turn that was split."""
        self._begin(strand.pending)
        self.split(strand)

    def split(self, strand: Task) -> None:
        """From here on it is another operation; until the turn is over no other strand of the loop can go on."""
        self.touch(self._loop_of(strand, splits=True))

    def _begin(self, operation: Operation) -> None:
        self.current = operation
        self._effects = dict.fromkeys(operation.effects)

    def _loop_of(self, strand: Task, *, splits: bool) -> Effect:
        return Effect(self._number_of(("turn", str(strand.host))), WHOLE, writes=splits)

    def presence_of_threads(self, *, changes: bool) -> Effect:
        """What decides whether turns are split."""
        return Effect(self._number_of(("threads",)), WHOLE, writes=changes)

    def end(self, strand: Task | None, now: float) -> None:
        """The turn is over, its effects are complete, and it counts as a step of the strand that had it."""
        turn, self.current = self.current, None
        if turn is None:
            return
        turn.effects = tuple(self._effects)
        if strand is not None:
            strand.steps += 1
            if strand.steps > PATIENCE or self._suspects:
                self._suspects.watch(strand, turn, now)

    def lay_to_rest(self, strand: Task) -> None:
        """The strand that has the turn will do the same again until somebody changes what it looks at."""
        if self.current is not None:
            self._suspects.lay_to_rest(strand, self.current)

    def touch(self, effect: Effect) -> None:
        """Something that only matters to the order of turns."""
        self._effects[effect] = None

    def record(self, operation: Operation) -> None:
        """One of the operations of which the turn consists."""
        if self.current is not None:
            self.current.inner.append(operation)
            self._effects.update(dict.fromkeys(operation.effects))


NOT_YET: Final = Operation(Kind.START, (), ready=never)
"""Of a strand that has nothing to do so far."""
