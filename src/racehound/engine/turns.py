"""Turns of strands: tasks that share the thread of an event loop and go on until they suspend themselves.

One turn is one operation for the search, as long as there are no other threads, which may come in anywhere. What
it consists of is recorded while it runs, and its effects are known once it is over.
"""

from typing import Final

from racehound.engine.operation import Effect, Kind, Operation


class Turns:
    """The turn of the strand that is running, if one is."""

    def __init__(self) -> None:
        self.current: Operation | None = None
        self._effects: dict[Effect, None] = {}

    def begin(self, operation: Operation) -> None:
        self.current = operation
        self._effects = dict.fromkeys(operation.effects)

    def end(self) -> Operation | None:
        """The turn that is over, its effects complete."""
        turn, self.current = self.current, None
        if turn is not None:
            turn.effects = tuple(self._effects)
        return turn

    def touch(self, effect: Effect) -> None:
        """Something that only matters to the order of turns."""
        self._effects[effect] = None

    def record(self, operation: Operation) -> None:
        """One of the operations of which the turn consists."""
        if self.current is not None:
            self.current.inner.append(operation)
            self._effects.update(dict.fromkeys(operation.effects))


def _never() -> bool:
    return False


NOT_YET: Final = Operation(Kind.START, (), ready=_never)
"""Of a strand that has nothing to do so far."""
