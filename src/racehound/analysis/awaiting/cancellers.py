"""Who cancels a coroutine while it runs: a limit of time around it, a task group that fails, a `cancel`."""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import Start, is_inside
from racehound.analysis.meaning.callers import Caller
from racehound.analysis.program import Program
from racehound.source.events import SELF, Acquire, Bind, Call, Place, Release, Span, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_LIMITS = frozenset({"timeout", "timeout_at", "move_on_after", "move_on_at", "fail_after", "fail_at"})
_FAR = 6
"""Callers are followed so far."""


class Canceller(NamedTuple):
    function: FunctionFacts
    span: Span
    how: str


class Cancellers:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._starts: dict[FunctionFacts, list[tuple[FunctionFacts, Start]]] | None = None
        self._known: dict[FunctionFacts, Canceller | None] = {}

    def of(self, function: FunctionFacts) -> Canceller | None:
        """The nearest one, from the function outwards."""
        if function not in self._known:
            self._known[function] = self._find(function)
        return self._known[function]

    def _find(self, function: FunctionFacts) -> Canceller | None:
        seen, open_ = {function}, deque([(function, 0)])
        while open_:
            target, distance = open_.popleft()
            for caller in self._ways_to(target):
                found = self._at(caller)
                if found is not None:
                    return found
                if distance < _FAR and caller.function.is_async and caller.function not in seen:
                    seen.add(caller.function)
                    open_.append((caller.function, distance + 1))
            for starter, start in self._started(target):
                found = self._of_start(starter, start)
                if found is not None:
                    return found
        return None

    def _ways_to(self, function: FunctionFacts) -> Iterator[Caller]:
        yield from self._program.callers.of(function)
        for caller in self._program.callers.named(function.name):
            call = caller.function.events[caller.at]
            if not isinstance(call, Call) or caller.target is not None:
                continue
            if self._program.calls.of_result(caller.function, call) is function:
                yield caller
        if function.name in {"__aexit__", "__aenter__"} and function.owner is not None:
            yield from self._entries(function.owner)

    def _entries(self, owner: ClassFacts) -> Iterator[Caller]:
        """Where objects of the class, or of one derived from it, are entered as they are made."""
        hierarchy = self._program.hierarchy
        heirs = [item for item in hierarchy.classes if owner in hierarchy.linear(item)]
        for name in sorted({item.name for item in heirs}):
            for caller in self._program.callers.named(name):
                if _is_entered(caller.function, caller.at):
                    yield caller

    def _at(self, caller: Caller) -> Canceller | None:
        """A limit of time around a call."""
        function = caller.function
        call = function.events[caller.at]
        if not isinstance(call, Call):
            return None
        for event in function.events[caller.at + 1 :]:
            if isinstance(event, Call) and event.method == "wait_for" and is_inside(call.span, event.span):
                return Canceller(function, event.span, "`wait_for` cancels it when the time is over")
        limit = _limit(function, caller.at)
        return limit and Canceller(function, limit.span, f"`{limit.value.name}` cancels it when the time is over")

    def _started(self, function: FunctionFacts) -> list[tuple[FunctionFacts, Start]]:
        if self._starts is None:
            self._starts = {}
            for module in self._program.modules:
                for item in module.functions:
                    for start in self._program.coroutines.starts(item):
                        self._starts.setdefault(start.target, []).append((item, start))
        return self._starts.get(function, [])

    def _of_start(self, function: FunctionFacts, start: Start) -> Canceller | None:
        for index in range(start.at, len(function.events)):
            event = function.events[index]
            if isinstance(event, Call) and is_inside(start.call.span, event.span):
                kind = self._program.coroutines.kind_of_start(function, event)
                if kind == "group":
                    return Canceller(function, event.span, "the task group cancels it when another task fails")
                if kind == "task":
                    return self._cancelled(function, index)
        return None

    def _cancelled(self, function: FunctionFacts, index: int) -> Canceller | None:
        """The call of `cancel` on the variable or the attribute that keeps a task."""
        kept = _kept(function, index)
        if kept is None:
            return None
        asking = [function]
        if kept.root == SELF and function.owner is not None:
            asking = list(self._program.hierarchy.functions(function.owner))
        for item in asking:
            for _, call in item.calls_of("cancel"):
                if call.receiver is not None and kept in _names_of(item, call.receiver):
                    return Canceller(item, call.span, f"`{item.name}` cancels it")
        return None


def _names_of(function: FunctionFacts, value: Value) -> list[Place | None]:
    """The place of a value, and what it is another name for."""
    place = value.place
    bound = function.bindings.get(place.root, ()) if place is not None and not place.attributes else ()
    return [place, *(item.place for item in bound)]


def _kept(function: FunctionFacts, index: int) -> Place | None:
    following = function.events[index + 1] if index + 1 < len(function.events) else None
    if isinstance(following, Touch):
        return following.place
    return Place(following.name) if isinstance(following, Bind) else None


def _is_entered(function: FunctionFacts, at: int) -> bool:
    call = function.events[at]
    return isinstance(call, Call) and any(
        isinstance(event, Acquire) and event.is_async and event.span == call.span
        for event in function.events[at + 1 : at + 4]
    )


def _limit(function: FunctionFacts, at: int) -> Acquire | None:
    """The limit of time that is entered, and not left, at an event."""
    entered: list[Acquire] = []
    for event in function.events[:at]:
        if isinstance(event, Acquire) and event.value.name in _LIMITS:
            entered.append(event)
        elif isinstance(event, Release) and entered and event.value == entered[-1].value:
            entered.pop()
    return entered[-1] if entered else None
