"""Operations that are not meant to be one step.

Between the beginning and the end of a `with` block others may come in, in a program without any race: that is what
pools, read locks and meters are for. An operation that yields says where. Serial orders run its parts one after
the other, with those of other operations in between; when tasks overlap, it goes straight on.
"""

import dis
import inspect
from collections.abc import Callable, Generator
from typing import Any, Final

from racehound.engine.control import CONTROL

PAUSE: Final = "(yield)"
"""In an expression: the place where others may come in."""


def unpaused(text: str) -> str:
    """The same in one piece, for where nobody else is there."""
    return text.replace(PAUSE, "None")


def parts_of(operation: Callable[..., object]) -> int:
    """Of how many parts an operation consists, as far as its code tells."""
    function = inspect.unwrap(operation)
    if not inspect.isgeneratorfunction(function):
        return 1
    return 1 + sum(instruction.opname == "YIELD_VALUE" for instruction in dis.get_instructions(function))


class InParts:
    """One run of an operation that yields."""

    def __init__(self, operation: Callable[[Any], Any]) -> None:
        self._operation = operation
        self._run: Generator[object, None, object] | None = None
        self._has_ended = False
        self._result: object = None

    def go_on(self, subject: object) -> None:
        """Run the next part, if there is one."""
        if self._run is None:
            self._run = CONTROL.published(self._operation)(subject)
        if not self._has_ended:
            try:
                next(self._run)
            except StopIteration as end:
                self._has_ended, self._result = True, end.value

    def finish(self, subject: object) -> object:
        """Run what is left; what the operation returns."""
        while not self._has_ended:
            self.go_on(subject)
        return self._result


def run_whole(operation: Callable[[Any], object], subject: object) -> object:
    """Run an operation with all its parts; what it returns."""
    if inspect.isgeneratorfunction(operation):
        return InParts(operation).finish(subject)
    return CONTROL.published(operation)(subject)
