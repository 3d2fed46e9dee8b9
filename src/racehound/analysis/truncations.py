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


def truncations(function: FunctionFacts) -> Iterator[Truncation]:
    """The first file of a function that is emptied before it is locked, where what it holds matters."""
    locks = sorted((item for name in LOCKING for item in function.calls_of(name)), key=lambda item: item[0])
    for index, call in function.calls_of("open") if locks else ():
        lock = next(((at, item) for at, item in locks if at > index), None)
        if lock is not None:
            asked = _flags(function, call) or (call.span if _is_filled(function, index, lock[0]) else None)
            if asked is not None:
                yield Truncation(asked, call, lock[1])
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


def _is_filled(function: FunctionFacts, index: int, lock: int) -> bool:
    """True for `open(path, "w")` where something is written once the lock is there."""
    empties = any(item.at == index and item.verb is FileVerb.WRITE for item in function.files)
    return empties and any(at > lock for at, _ in function.calls_of("write"))
