"""Files that are emptied as they are opened, and locked only then."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.source.events import Call, Place, Shape
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileVerb

LOCKING = frozenset({"flock", "lockf"})
_EMPTIES = "O_TRUNC"


class Truncation(NamedTuple):
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
            if _has_flag(function, call) or (filled and _has_mode(function, index)):
                yield Truncation(call, lock[1], filled)
                return


def _has_flag(function: FunctionFacts, call: Call) -> bool:
    """True for `os.open` with a flag that empties the file, also where a variable holds it."""
    if call.callee != Place("os", ("open",)) or len(call.arguments) < _PATH_AND_FLAGS:
        return False
    place = call.arguments[1].place if call.arguments[1].shape is Shape.PLACE else None
    held = place.root if place is not None and not place.attributes else None
    first = function.span.line if held else call.span.line
    lines = (function.module.line(number).split("#")[0] for number in range(first, call.span.end_line + 1))
    return any(_EMPTIES in line and held in {None, line.split("=")[0].rstrip(" |").strip()} for line in lines)


_PATH_AND_FLAGS = 2


def _has_mode(function: FunctionFacts, index: int) -> bool:
    """True for `open(path, "w")`, which is how most lock files are opened that stay empty."""
    return any(item.at == index and item.verb is FileVerb.WRITE for item in function.files)
