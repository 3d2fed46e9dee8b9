"""Events that are cleared just before somebody waits for them, when what sets them has been set going already."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import is_awaited
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.meaning.kinds import NONE
from racehound.analysis.program import Program
from racehound.source.events import SELF, Call, Pause, Place
from racehound.source.facts import ClassFacts, FunctionFacts

EVENTS = frozenset({"asyncio.Event", "threading.Event", "anyio.Event", "trio.Event"})
_ASKING = re.compile(
    r"_*(async_)?(send|write|publish|transmit|post|request|submit|trigger|notify|emit|put)(_\w+)?"
)
LOGGING = frozenset({"debug", "info", "warning", "log", "trace", "print"})


class ClearedLate(NamedTuple):
    asked: int
    """What has the event set, sooner or later."""
    clear: int
    wait: int
    event: Place
    setter: tuple[FunctionFacts, int]


def cleared_late(program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[ClearedLate]:
    paths = program.awaits.paths(function)
    for clear, call in function.calls_of("clear"):
        event = _event(program, owner, call)
        wait = _wait_after(function, clear, event) if event is not None else None
        setter = setter_of(program, owner, function, event) if event is not None and wait is not None else None
        if event is None or wait is None or setter is None:
            continue
        for asked in range(clear - 1, -1, -1):
            if _asks(function, asked) and paths.is_sure_before(asked, clear):
                yield ClearedLate(asked, clear, wait, event, setter)
                break


def _event(program: Program, owner: ClassFacts, call: Call) -> Place | None:
    """A field that holds an event, or something unknown: what is cleared, set and waited for is one."""
    root, attributes = call.callee or Place("")
    if root != SELF or len(attributes) != _FIELD_AND_METHOD:
        return None
    kinds = program.kinds.field(owner, attributes[0]) - {NONE}
    return Place(SELF, attributes[:1]) if kinds <= EVENTS else None


_FIELD_AND_METHOD = 2


def _wait_after(function: FunctionFacts, clear: int, event: Place) -> int | None:
    """The wait, if nothing is done after the clearing that might have the event set."""
    for index in range(clear + 1, len(function.events)):
        item = function.events[index]
        if isinstance(item, Call):
            if item.method == "wait" and item.callee == Place(SELF, (*event.attributes, "wait")):
                return None if item.arguments or item.keywords else index
            if item.method not in LOGGING:
                return None
        elif isinstance(item, Pause) and index > clear + 1:
            return None
    return None


def setter_of(
    program: Program, owner: ClassFacts, function: FunctionFacts, event: Place
) -> tuple[FunctionFacts, int] | None:
    place = Place(SELF, (*event.attributes, "set"))
    for other in program.hierarchy.effective(owner):
        if outer_method(other) is not outer_method(function) and not is_constructor(other):
            for index, call in other.calls_of("set"):
                if call.callee == place:
                    return other, index
    return None


def _asks(function: FunctionFacts, index: int) -> bool:
    """A request is on its way when the event is cleared; on a loop, only after an await others have their turn."""
    event = function.events[index]
    if not isinstance(event, Call) or not _ASKING.fullmatch(event.method):
        return False
    return is_awaited(function, index) if function.is_async else True
