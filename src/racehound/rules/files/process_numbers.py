"""Signals to processes, and where the numbers of those processes come from."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.program import Program
from racehound.rules.files.common_paths import returned
from racehound.source.events import Call, Shape, Span, Value
from racehound.source.facts import FunctionFacts
from racehound.source.filecalls import FileVerb

_BY_NUMBER = frozenset({"os.kill", "os.killpg"})
_OF_PROCESS = frozenset({"terminate", "kill", "send_signal", "suspend", "resume"})
METHODS = ("kill", "killpg", "terminate", "send_signal", "suspend", "resume")
_GONE = frozenset({"ProcessLookupError", "OSError", "NoSuchProcess", "Error", "Exception", "BaseException"})
_CONTENTS = frozenset({"strip", "read", "read_text", "readline", "rstrip", "split"})
_DEPTH = 3


class Signal(NamedTuple):
    at: int
    span: Span
    number: Value

    @property
    def target(self) -> str:
        return str(self.number.place or "the process")


class NumberRead(NamedTuple):
    function: FunctionFacts
    span: Span


def signals(program: Program, function: FunctionFacts) -> Iterator[Signal]:
    """Those that fail where the process is gone, and are not caught; signal 0 only asks."""
    for name in METHODS:
        for index, call in function.calls_of(name):
            number = _number(program, function, call)
            caught = any(attempt.guards(index, _GONE) for attempt in function.attempts)
            if number is not None and not caught and not _suppressed(function, index):
                yield Signal(index, call.span, number)


def _number(program: Program, function: FunctionFacts, call: Call) -> Value | None:
    callee = program.kinds.callee(function, call.callee) if call.callee is not None else None
    if callee in _BY_NUMBER:
        asks = len(call.arguments) > 1 and call.arguments[1].name == "0"
        return call.arguments[0] if call.arguments and not asks else None
    made = call.receiver
    is_process = (
        made is not None and made.shape is Shape.CALL and made.name == "Process" and made.place is not None
    )
    if made is None or not is_process or call.method not in _OF_PROCESS:
        return None
    named = program.kinds.callee(function, made.place) if made.place is not None else None
    return made.arguments[0] if named == "psutil.Process" and made.arguments else None


def _suppressed(function: FunctionFacts, index: int) -> bool:
    """True inside `with suppress(ProcessLookupError):`, told by a block of that name that is entered before."""
    return any(at < index for at, _ in function.calls_of("suppress"))


def numbers_read(program: Program, function: FunctionFacts, signal: Signal) -> NumberRead | None:
    """Where the number was read from a file: in the function, or in one that gives it back."""
    return _read(program, function, signal.number, _DEPTH)


def _read(program: Program, function: FunctionFacts, value: Value, depth: int) -> NumberRead | None:
    if value.shape is Shape.CALL and value.name == "int":
        reads = [call for call in function.files if call.verb is FileVerb.READ]
        is_text = any(_is_content(function, item) for item in value.arguments)
        return NumberRead(function, reads[0].span) if is_text and reads else None
    found = (_read(program, where, item, depth - 1) for where, item in _sources(program, function, value, depth))
    return next((item for item in found if item is not None), None)


def _is_content(function: FunctionFacts, value: Value) -> bool:
    """True for what a file gives: `file.read()`, `path.read_text().strip()`, also by way of a local variable."""
    if value.shape is Shape.CALL:
        return value.name in _CONTENTS
    place = value.place
    return place is not None and any(item.name in _CONTENTS for item in function.bindings.get(place.root, ()))


def _sources(
    program: Program, function: FunctionFacts, value: Value, depth: int
) -> Iterator[tuple[FunctionFacts, Value]]:
    """What a local variable is bound to, and what a helper gives back."""
    place = value.place
    if place is None or depth == 0:
        return
    if value.shape is Shape.PLACE:
        yield from ((function, item) for item in function.bindings.get(place.root, ()) if not place.attributes)
        return
    helper = program.kinds.callee(function, place) if value.shape is Shape.CALL else None
    if isinstance(helper, FunctionFacts):
        yield from returned(helper)
