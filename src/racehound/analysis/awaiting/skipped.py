"""Exits that a coroutine only comes to if nobody stops it on the way: cancels it, or iterates no further."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.calls import Calls
from racehound.source.events import SELF, Acquire, Bind, Call, Flow, Pause, Place, Release, Value
from racehound.source.facts import FunctionFacts

_CLEANUP = re.compile(r"_*(close|shutdown|stop|cancel|clean_?up|tear_?down|dispose|release)\w*")
_PROTOCOL = frozenset({"__aenter__", "__aexit__"})
_STARTERS = frozenset({"create_task", "ensure_future"})
_ENDING = frozenset({"cancel", "close", "aclose", "stop", "shutdown", "release"})


class Skipped(NamedTuple):
    function: FunctionFacts
    pause: int
    """Where it can be stopped."""
    exit: int
    """The call that it does not come to then."""

    @property
    def is_generator(self) -> bool:
        pause = self.function.events[self.pause]
        return isinstance(pause, Pause) and pause.yields


def skipped_exits(calls: Calls, function: FunctionFacts) -> Iterator[Skipped]:
    if not function.is_async or Pause not in function.holds:
        return
    numbered = list(enumerate(function.events))
    exits = [(at, event) for at, event in numbered if isinstance(event, Call) and _may_end(event)]
    pauses = [index for index, event in numbered if isinstance(event, Pause)] if exits else []
    bare = [index for index in pauses if not is_protected(function, index)]
    for at, call in exits if bare else ():
        found = _by_hand(function, at, bare) if call.method == "__aexit__" else None
        if found is None and _ends_work(calls, function, call):
            found = _after_yield(function, at, bare)
        if found is not None:
            yield Skipped(function, found, at)
            return


def _may_end(call: Call) -> bool:
    """True if a look at what comes before it is worth it: few functions have such a call."""
    return call.callee is not None and (call.method in {"__aexit__", "cancel"} or _is_cleanup(call))


def _is_cleanup(call: Call) -> bool:
    return call.callee is not None and call.callee.root == SELF and _CLEANUP.fullmatch(call.method) is not None


def _by_hand(function: FunctionFacts, at: int, bare: list[int]) -> int | None:
    """An await between `__aenter__` and `__aexit__` of the same object, both called by hand."""
    base = _object(function.events[at])
    steps = [
        (index, event.method)
        for index, event in enumerate(function.events[:at])
        if isinstance(event, Call) and event.method in _PROTOCOL and _object(event) == base
    ]
    if not steps or steps[-1][1] == "__aexit__":
        return None
    entering = [item for item in function.attempts if item.begin <= steps[-1][0] < item.end]
    failed = [caught.events for item in entering for caught in item.handlers]
    inside = [
        index
        for index in range(steps[-1][0], at)
        if isinstance(function.events[index], Pause)
        and not any(begin <= index < end for begin, end in failed)  # nothing was entered
    ]
    return next((index for index in inside[1:] if index in bare), None)


def _object(event: object) -> Place | None:
    callee = event.callee if isinstance(event, Call) else None
    return None if callee is None else Place(callee.root, callee.attributes[:-1])


def _after_yield(function: FunctionFacts, at: int, bare: list[int]) -> int | None:
    """The last `yield` before a clean-up that ends the generator; None where more is yielded after it."""
    yields = [index for index in _yields(function) if index < at]
    if not yields or yields[-1] not in bare or any(index > at for index in _yields(function)):
        return None
    return yields[-1] if not is_final(function, at) else None


def _yields(function: FunctionFacts) -> Iterator[int]:
    for index, event in enumerate(function.events):
        if isinstance(event, Pause) and event.yields:
            yield index


def _ends_work(calls: Calls, function: FunctionFacts, call: Call) -> bool:
    """True for `task.cancel()` of an own task, or `self._cleanup()` where that cancels or closes something."""
    if call.method == "cancel" and not call.loop:
        return _is_own_task(function, call.receiver)
    if not _is_cleanup(call):
        return False
    target = calls.target(function, call)
    return target is not None and any(
        isinstance(event, Call) and event.method in _ENDING for event in target.events
    )


def _is_own_task(function: FunctionFacts, value: Value | None) -> bool:
    """True for a variable that holds a task which is started once, before anything else is gone through."""
    place = value.place if value is not None else None
    binds = [event for event in function.events if isinstance(event, Bind) and Place(event.name) == place]
    return bool(binds) and all(
        not bind.loop and any(value.name in _STARTERS for value in bind.values) for bind in binds
    )


def is_protected(function: FunctionFacts, index: int) -> bool:
    """True in the body of a `try`: what its handlers and its `finally` do is not skipped."""
    if any(attempt.begin <= index < attempt.end for attempt in function.attempts):
        return True
    if is_shielded(function, index) or _is_in_stack(function, index):
        return True
    return sum(_step(event) for event in function.events[:index]) > 0


def is_shielded(function: FunctionFacts, index: int) -> bool:
    """True inside `with CancelScope(shield=True):`."""
    before = function.events[:index]
    scopes = [event.value for event in before if isinstance(event, Acquire) and _shields(event.value)]
    left = sum(isinstance(event, Release) and _shields(event.value) for event in before)
    return len(scopes) > left


def _is_in_stack(function: FunctionFacts, index: int) -> bool:
    """True behind `stack.push_async_callback(self.stop)`: the stack ends what is to be ended."""
    return any(isinstance(event, Call) and event.method in _STACKED for event in function.events[:index])


_STACKED = frozenset({"push_async_callback", "push_async_exit", "callback"})


def _shields(value: Value) -> bool:
    return any(word == "shield" and given.name == "True" for word, given in value.keywords)


def _step(event: object) -> int:
    if event is Flow.TRY:
        return 1
    return -1 if event is Flow.FINALLY else 0


def is_final(function: FunctionFacts, index: int) -> bool:
    """True inside a `finally` block."""
    before = function.events[:index]
    return sum(event is Flow.FINALLY for event in before) > sum(event is Flow.END for event in before)
