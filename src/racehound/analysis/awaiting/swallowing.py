"""Cancellations that are caught and not passed on: by which names, and whose loop goes on after it."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import is_awaited
from racehound.analysis.flow.branches import leaves, reaches_next_round
from racehound.analysis.meaning.stood_in import stood_in_for
from racehound.analysis.program import Program
from racehound.source.attempts import Attempt, Caught
from racehound.source.events import (
    SELF,
    Acquire,
    Action,
    Bind,
    Call,
    Pause,
    Place,
    Release,
    Shape,
    Span,
    Touch,
    Value,
)
from racehound.source.facts import FunctionFacts, ModuleFacts

_ALL = frozenset({"CancelledError", "BaseException"})
_TELLING = frozenset(
    {
        *("debug", "info", "warning", "warn", "error", "exception", "critical", "log", "print", "print_exc"),
        *("str", "repr", "type", "format", "isoformat", "format_exc", "print_exception", "format_exception"),
    }
)
"""What tells of an exception, and keeps nothing of it."""
_WAITING = frozenset({"sleep", "min", "max", "uniform", "random"})
"""What the next round is put off by."""


class Round(NamedTuple):
    """A loop that awaits a coroutine in each round, and takes no notice of what it gives."""

    function: FunctionFacts
    call: Call


def cancellation(program: Program, function: FunctionFacts, attempt: Attempt) -> Caught | None:
    """The handler that gets the cancellation, if it does not raise again."""
    for caught in attempt.handlers:
        if not caught.names or any(is_cancellation(program, function.module, name) for name in caught.names):
            return None if caught.raises and not _goes_on_too(function, caught) else caught
    return None


def _goes_on_too(function: FunctionFacts, caught: Caught) -> bool:
    """True for a handler that raises only after so many rounds: whatever it caught, it has no part in that."""
    begin, end = caught.events
    if leaves(function.events, begin, end) or (caught.keeps and not only_tells(function, caught)):
        return False
    inside = function.events[begin:end]
    asked = {event.place.root for event in inside if isinstance(event, Touch) and event.action is Action.CHECK}
    calls = (event.method for event in inside if isinstance(event, Call))
    return SELF not in asked and all(name in _TELLING | _WAITING or name[:1].isupper() for name in calls)


def is_cancellation(program: Program, module: ModuleFacts, name: str, depth: int = 2) -> bool:
    """True for the class, for another name of it, and for a tuple that it is in."""
    if name in _ALL or module.imports.get(name, "").rpartition(".")[2] in _ALL:
        return True
    home, values = module, module.variables.get(name, ())
    if not values and name in module.imports and depth:
        found = program.kinds.variable(module, Place(name))
        if found is not None:
            home, values = found.module, found.module.variables.get(found.name, ())
    parts = [part for value in values if value.shape is Shape.CONTAINER for part in value.arguments]
    return bool(depth) and any(is_cancellation(program, home, _last(part), depth - 1) for part in parts)


def _last(value: Value) -> str:
    place = value.place
    return "" if place is None else (place.attributes or (place.root,))[-1]


def only_tells(function: FunctionFacts, caught: Caught) -> bool:
    """True if the handler names the exception to write about it, and hands it to nobody."""
    begin, end = caught.events
    first = function.events[begin] if begin < end else None
    if not isinstance(first, Bind):
        return False
    named = Place(first.name)
    for event in function.events[begin + 1 : end]:
        if isinstance(event, Call) and event.method not in _TELLING and _is_given(event, named):
            return False
        if not isinstance(event, Call) and named in _values(event):
            return False
    return True


def _is_given(call: Call, name: Place) -> bool:
    given = (*call.arguments, *(value for _, value in call.keywords), *((call.receiver,) if call.receiver else ()))
    return any(value.place is not None and value.place.root == name.root for value in given)


def _values(event: object) -> list[Place | None]:
    return [value.place for value in getattr(event, "values", ())]


def suppressions(function: FunctionFacts) -> Iterator[tuple[Span, Pause]]:
    """`with suppress(BaseException):` around an await."""
    if Acquire not in function.holds:
        return
    for index, event in enumerate(function.events):
        if isinstance(event, Acquire) and event.value.name == "suppress" and _suppresses(event.value):
            for inner in function.events[index + 1 :]:
                if isinstance(inner, Release) and inner.value == event.value:
                    break
                if isinstance(inner, Pause) and not inner.yields:
                    yield event.span, inner
                    break


def _suppresses(value: Value) -> bool:
    return any(_last(item) in _ALL for item in value.arguments)


def rounds(program: Program, function: FunctionFacts) -> Iterator[Round]:
    """Loops of other coroutines that await the function, and go on whatever comes back."""
    for target in (function, *stood_in_for(program.modules, program.kinds, function)):
        for caller in program.callers.of(target):
            call = caller.function.events[caller.at]
            thrown_away = caller.at + 1 in caller.function.discarded
            if not isinstance(call, Call) or not call.loop or not thrown_away:
                continue
            again = reaches_next_round(caller.function.events, caller.at + 2, 0)
            if again and is_awaited(caller.function, caller.at):
                yield Round(caller.function, call)
