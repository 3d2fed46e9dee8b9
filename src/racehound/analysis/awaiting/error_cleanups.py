"""Clean-ups that only an error comes to: `except Exception`, or less, around an await does not see a cancellation.

`CancelledError` is no `Exception`. What the handler gives back stays as it is when the task is cancelled at the
await, unless a handler further out, or a `finally`, gives back as well.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from racehound.analysis.awaiting.cleanups import CANCELLATION
from racehound.analysis.awaiting.skipped import is_shielded
from racehound.analysis.awaiting.swallowing import is_cancellation
from racehound.analysis.flow.branches import final_block
from racehound.analysis.program import Program
from racehound.source.attempts import Attempt, Caught
from racehound.source.events import Acquire, Bind, Call, Flow, Pause, Shape, Touch, Value
from racehound.source.facts import FunctionFacts

_ENDS = frozenset(
    {"close", "closed", "aclose", "release", "disconnect", "terminate", "kill", "abort", "rollback", "shutdown"}
    | {"stop", "unlink", "cleanup", "cancel"}
)
_WORDS = re.compile(r"[^_]+")
_LASTING = frozenset({"append", "add", "put", "put_nowait", "setdefault", "insert", "register", "appendleft"})
"""Calls after which somebody else has the object, and may end it."""


class ErrorCleanup(NamedTuple):
    function: FunctionFacts
    pause: int
    """Index of the await at which a cancellation passes the handler by."""
    call: int
    """Index of the call in the handler that gives back."""
    caught: Caught
    name: str
    """The variable whose object is given back."""


def error_cleanups(program: Program, function: FunctionFacts) -> Iterator[ErrorCleanup]:
    """For each handler of errors, the first call that a cancellation skips."""
    if not function.is_async or Pause not in function.holds:
        return
    for attempt in function.attempts:
        found = (
            cleanup
            for caught in _only_errors(program, function, attempt)
            for cleanup in _skipped(function, attempt, caught)
        )
        yield from islice(found, 1)


def _only_errors(program: Program, function: FunctionFacts, attempt: Attempt) -> list[Caught]:
    """The handlers of errors that let them go on, where none beside them sees the cancellation."""
    for caught in attempt.handlers:
        names = caught.names
        if not names or not _CANCELLED.isdisjoint(names):
            return []
        if any(is_cancellation(program, function.module, name) for name in names):
            return []
    return [caught for caught in attempt.handlers if caught.passes_on]


_CANCELLED = CANCELLATION | {"?"}
"""By these names of asyncio, trio and anyio; what a call gives may be any."""


def _skipped(function: FunctionFacts, attempt: Attempt, caught: Caught) -> Iterator[ErrorCleanup]:
    for at in range(*caught.events):
        call = function.events[at]
        if not isinstance(call, Call) or _ENDS.isdisjoint(_WORDS.findall(call.method)):
            continue
        for name, is_own in _given_back(function, call):
            begun = _last_bind(function, name, attempt.end)
            if begun is None or _is_entered(function, name) or (is_own and _is_kept(function, name, at)):
                continue
            if call.method == "cancel" and not _is_task(function, name):
                continue
            for pause in _pauses(function, attempt):
                if pause > begun and not _is_seen_to(function, attempt, pause, name):
                    yield ErrorCleanup(function, pause, at, caught, name)


def _is_task(function: FunctionFacts, name: str) -> bool:
    """False for a future, which does nothing by itself."""
    return any(value.name in _STARTERS for value in function.bindings.get(name, ()))


_STARTERS = frozenset({"create_task", "ensure_future"})


def _given_back(function: FunctionFacts, call: Call) -> Iterator[tuple[str, bool]]:
    """Local names in `tunnel.close()`, and in `self.response_closed(status)`."""
    place = call.receiver.place if call.receiver is not None else None
    if place is not None and not place.attributes and _is_local(function, place.root):
        yield place.root, True
        return
    for value in call.arguments:
        given = value.place
        is_name = value.shape is Shape.PLACE and given is not None and not given.attributes
        if is_name and given is not None and _is_local(function, given.root):
            yield given.root, False


def _is_local(function: FunctionFacts, name: str) -> bool:
    return name in function.bound and name not in function.parameters


def _last_bind(function: FunctionFacts, name: str, end: int) -> int | None:
    """Where the name gets what a call has made, if that is all it ever gets but None."""
    made = None
    for index, event in enumerate(function.events):
        if not isinstance(event, Bind) or event.name != name:
            continue
        if all(value.shape is Shape.CONSTANT and value.name == "None" for value in event.values) and event.values:
            continue
        if event.is_of_loop or not _is_made(function, index, event):
            return None
        made = index if index < end and made is None else made
    return made


def _is_made(function: FunctionFacts, index: int, bind: Bind) -> bool:
    """True for what a call gives, awaited or not."""
    before = function.events[index - 1] if index else None
    if isinstance(before, Pause) and not before.yields:
        return before.value.shape is Shape.CALL
    return all(value.shape is Shape.CALL for value in bind.values)


def _is_entered(function: FunctionFacts, name: str) -> bool:
    """True for `async with conn:`, which ends it however the block is left."""
    return any(isinstance(event, Acquire) and _is_named(event.value, name) for event in function.events)


def _is_kept(function: FunctionFacts, name: str, end: int) -> bool:
    """True if something that lasts has the object by then, and may end it another time."""
    for event in function.events[:end]:
        if isinstance(event, Touch) and any(_is_named(value, name) for value in event.values):
            return True
        if isinstance(event, Call) and event.method in _LASTING and _is_given(event, name):
            return True
    return False


def _is_given(call: Call, name: str) -> bool:
    return any(_is_named(value, name) for value in (*call.arguments, *(given for _, given in call.keywords)))


def _is_named(value: Value, name: str) -> bool:
    place = value.place
    return place is not None and place.root == name and not place.attributes


def _pauses(function: FunctionFacts, attempt: Attempt) -> Iterator[int]:
    for index in range(attempt.begin, attempt.end):
        if isinstance(function.events[index], Pause) and not is_shielded(function, index):
            yield index


def _is_seen_to(function: FunctionFacts, attempt: Attempt, pause: int, name: str) -> bool:
    """True if a `finally`, or another handler, is come to on a cancellation."""
    if any(item is not attempt and item.guards(pause, CANCELLATION) for item in function.attempts):
        return True
    return _is_passed_on(function, attempt, pause) or any(
        isinstance(event, Call) and (_is_given(event, name) or _ends(event, name))
        for begin, end in _finals(function, pause)
        for event in function.events[begin:end]
    )


def _is_passed_on(function: FunctionFacts, attempt: Attempt, pause: int) -> bool:
    """True under a handler that sees the cancellation and raises it again."""
    return any(
        not caught.names or CANCELLATION & set(caught.names)
        for item in function.attempts
        if item is not attempt and item.begin <= pause < item.end
        for caught in item.handlers
    )


def _ends(call: Call, name: str) -> bool:
    return call.receiver is not None and call.receiver.place is not None and call.receiver.place.root == name


def _finals(function: FunctionFacts, pause: int) -> Iterator[tuple[int, int]]:
    for start, event in enumerate(function.events[:pause]):
        if event is Flow.TRY:
            begin, end = final_block(function.events, start)
            if pause < begin:
                yield begin, end
