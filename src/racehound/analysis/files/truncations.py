"""Files that are emptied as they are opened, and locked only then."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.source.events import Action, Bind, Call, Place, Shape, Touch, Value
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
            filled = _is_filled(function, index, lock[0])
            if _has_flag(function, call) or (filled and _has_mode(function, index)):
                yield Truncation(call, lock[1], filled)
                return


def _is_filled(function: FunctionFacts, opened: int, locked: int) -> bool:
    """True if something is written to it, also by `json.dump(value, file)`; another file does not matter."""
    name = _name_of(function, opened)
    writes = (call for at, call in function.calls_of("write") if at > locked)
    dumps = (call for word in _DUMPS for at, call in function.calls_of(word) if at > locked)
    return any(_is_to(call.receiver, name) for call in writes) or any(
        _is_to(value, name) for call in dumps for value in call.arguments
    )


_DUMPS = ("dump", "safe_dump", "print", "copyfileobj", "writelines", "writerows", "write")


def _is_to(value: Value | None, name: str | None) -> bool:
    place = value.place if value is not None and value.shape is Shape.PLACE else None
    return place is not None and (name is None or (place.attributes or (place.root,))[-1] == name)


def _name_of(function: FunctionFacts, opened: int) -> str | None:
    """What the file is bound to, as the block or the assignment that opens it says; None where nobody can tell."""
    for event in function.events[opened + 1 : opened + 4]:
        if isinstance(event, Bind):
            return event.name
        if isinstance(event, Touch) and event.action is Action.WRITE:
            return (event.place.attributes or (event.place.root,))[-1]
    return None


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
