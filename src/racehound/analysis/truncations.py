"""Files that are emptied as they are opened, and locked only then."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.source.events import Call, Place, Shape, Span
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileVerb

LOCKING = frozenset({"flock", "lockf"})
_EMPTIES = "O_TRUNC"


class Truncation(NamedTuple):
    asked: Span
    """Where it is said that the file is to be empty."""
    open: Call
    lock: Call
    is_filled: bool
    """Something is written once the lock is there; else nothing may ever be in the file."""


def truncations(function: FunctionFacts) -> Iterator[Truncation]:
    """The first file of a function that is emptied before it is locked."""
    locks = sorted((item for name in LOCKING for item in function.calls_of(name)), key=lambda item: item[0])
    for index, call in function.calls_of("open") if locks else ():
        lock = next(((at, item) for at, item in locks if at > index), None)
        if lock is not None:
            filled = any(at > lock[0] for at, _ in function.calls_of("write"))
            asked = _flags(function, call) or _mode(function, index, call, filled=filled)
            if asked is not None:
                yield Truncation(asked, call, lock[1], filled)
                return


def _flags(function: FunctionFacts, call: Call) -> Span | None:
    """The flag by which `os.open` empties the file, also where a variable holds it."""
    if call.callee != Place("os", ("open",)) or len(call.arguments) < _PATH_AND_FLAGS:
        return None
    place = call.arguments[1].place if call.arguments[1].shape is Shape.PLACE else None
    held = place.root if place is not None and not place.attributes else None
    for number in range(function.span.line if held else call.span.line, call.span.end_line + 1):
        line = function.module.line(number).split("#")[0]
        column = line.find(_EMPTIES)
        if column >= 0 and (held is None or line.split("=")[0].rstrip(" |").strip() == held):
            return Span(number, column, number, column + len(_EMPTIES))
    return None


_PATH_AND_FLAGS = 2


def _mode(function: FunctionFacts, index: int, call: Call, *, filled: bool) -> Span | None:
    """`open(path, "w")`, which is how most lock files are opened that stay empty."""
    empties = any(item.at == index and item.verb is FileVerb.WRITE for item in function.files)
    return call.span if empties and filled else None
