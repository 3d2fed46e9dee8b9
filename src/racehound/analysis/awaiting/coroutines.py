"""Coroutines that are set running beside the one that starts them.

A call of a coroutine function that is awaited at once is an ordinary call. One that is not awaited there becomes a
task of its own where the function hands coroutines to a starter: `create_task`, `gather`, a task group.
"""

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.kinds import Kind, Kinds
from racehound.source.events import Bind, Call, Pause, Place, Release, Shape, Span, Touch, Value
from racehound.source.facts import FunctionFacts

STARTERS = frozenset({"asyncio.create_task", "asyncio.ensure_future", "asyncio.async"})
GATHERERS = frozenset({"asyncio.gather", "asyncio.wait", "asyncio.as_completed", "asyncio.staggered_race"})
RUNNERS = frozenset({"asyncio.run", "anyio.run", "trio.run"})
_STANDARD = {
    **dict.fromkeys(STARTERS, "task"),
    **dict.fromkeys(GATHERERS, "gather"),
    **dict.fromkeys(RUNNERS, "run"),
}
_GROUPS = frozenset({"asyncio.TaskGroup", "anyio.create_task_group", "trio.open_nursery", "anyio.abc.TaskGroup"})
_METHODS = frozenset(
    {"create_task", "ensure_future", "start_soon", "run_until_complete", "run_coroutine_threadsafe"}
)
_NAMES = _METHODS | {"gather", "wait", "as_completed", "run", "async"}
_LOOP_MAKERS = frozenset(
    {"asyncio.get_event_loop", "asyncio.get_running_loop", "asyncio.new_event_loop", "asyncio.AbstractEventLoop"}
)
_MAP = Place("map")
_WITH_ITEMS = 2
HANDING = frozenset({"start_soon", "map"})
"""Calls that are given the coroutine function itself, and not what a call of it makes."""
_COLLECTING = frozenset({"add", "append", "extend", "insert", "setdefault", "put", "put_nowait"})


class Start(NamedTuple):
    """A coroutine becomes a task."""

    at: int
    """Index of the call that makes the coroutine, or that hands over the coroutine function."""
    call: Call
    target: FunctionFacts
    what: str
    many: bool
    """Several of them may run at once, by this call alone."""
    starter: str = ""
    """The method that a loop is run by."""


class Coroutines:
    def __init__(self, calls: Calls, kinds: Kinds) -> None:
        self._calls = calls
        self._kinds = kinds
        self._wrappers: dict[FunctionFacts, bool] = {}
        self._starts: dict[FunctionFacts, tuple[Start, ...]] = {}
        self._by_line: dict[FunctionFacts, dict[int, list[tuple[int, Start]]]] = {}

    def kind_of_start(self, function: FunctionFacts, call: Call) -> str | None:
        """`task`, `group`, `gather`, `run`: how a call sets coroutines running; None where it does not."""
        name = self._kinds.callee(function, call.callee) if call.callee is not None else None
        if isinstance(name, str) and (call.method not in _METHODS or name in STARTERS):
            return _STANDARD.get(name)
        if isinstance(name, FunctionFacts):
            return "task" if self.is_wrapper(name) else None
        if call.method not in _METHODS:
            return None
        if call.method in {"run_until_complete", "run_coroutine_threadsafe"}:
            return "run"
        if call.method == "start_soon":
            return "group"
        return self._task(function, call)

    def _task(self, function: FunctionFacts, call: Call) -> str | None:
        receiver = call.receiver
        if receiver is None:
            return None
        kinds = self._kinds.value(function, receiver)
        if kinds & _GROUPS:
            return "group"
        return "task" if self.is_loop(kinds, receiver) else "group"

    def is_loop(self, kinds: frozenset[Kind], receiver: Value) -> bool:
        """True for an event loop, known by where it comes from or by its name."""
        if kinds & _LOOP_MAKERS:
            return True
        name = receiver.name
        if receiver.place is not None:
            name = (receiver.place.attributes or (receiver.place.root,))[-1]
        return name.lstrip("_").lower() in {"loop", "event_loop", "io_loop", "get_running_loop", "get_event_loop"}

    def is_wrapper(self, function: FunctionFacts) -> bool:
        """True for a function that makes a task of the coroutine it is given."""
        if function not in self._wrappers:
            self._wrappers[function] = False  # one that hands on to itself is none
            self._wrappers[function] = any(self._hands_on(function, event) for event in function.events)
        return self._wrappers[function]

    def _hands_on(self, function: FunctionFacts, event: object) -> bool:
        if not isinstance(event, Call) or not event.arguments:
            return False
        given = event.arguments[0].place
        if given is None or given.attributes or given.root not in function.parameters:
            return False
        return self.kind_of_start(function, event) in {"task", "group"}

    def starts(self, function: FunctionFacts) -> tuple[Start, ...]:
        """The coroutines that a function sets running, each once."""
        if function not in self._starts:
            self._starts[function] = tuple(self._find(function)) if Call in function.holds else ()
        return self._starts[function]

    def started_within(self, function: FunctionFacts, span: Span) -> list[Start]:
        """Those of them that are called on the lines of a statement."""
        if function not in self._by_line:
            by_line: dict[int, list[tuple[int, Start]]] = {}
            for numbered in enumerate(self.starts(function)):
                by_line.setdefault(numbered[1].call.span.line, []).append(numbered)
            self._by_line[function] = by_line
        by_line = self._by_line[function]
        lines = range(span.line, span.end_line + 1)
        found = sorted((item for line in lines for item in by_line.get(line, ())), key=itemgetter(0))
        return [start for _, start in found]

    def _find(self, function: FunctionFacts) -> Iterator[Start]:
        starters = list(self._starters(function))
        if not starters:
            return
        for index, event in enumerate(function.events):
            if isinstance(event, Call):
                yield from self._made(function, index, event, starters)
                yield from self._mapped(function, index, event, starters)
        for index, event, _ in starters:
            if event.method == "start_soon" and event.arguments:
                target = self._calls.function(function, event.arguments[0])
                if target is not None and target.is_async:
                    yield Start(index, event, target, "a task", event.loop > 0)

    def _starters(self, function: FunctionFacts) -> Iterator[tuple[int, Call, str]]:
        for index, event in enumerate(function.events):
            if type(event) is Call and _may_start(event):
                kind = self.kind_of_start(function, event)
                if kind is not None:
                    yield index, event, kind

    def _made(
        self, function: FunctionFacts, index: int, call: Call, starters: list[tuple[int, Call, str]]
    ) -> Iterator[Start]:
        """The task that an unawaited call of a coroutine function becomes."""
        if is_awaited(function, index):
            return
        target = self._calls.target(function, call) or self._calls.of_result(function, call)
        if target is None or not target.is_async or is_generator(target):
            return
        later = islice(starters, bisect_right(starters, index, key=itemgetter(0)), None)
        around = next((item for item in later if is_inside(call.span, item[1].span)), None)
        if around is None and not _is_kept(function, index):
            return
        place, starter, kind = around or starters[-1]
        many = call.loop > 0 or starter.loop > 0
        if kind == "run":
            yield Start(index, call, target, "the event loop run", many, starter.method)
        else:
            yield Start(index, call, target, "a task", many or self._piles_up(function, place, kind))

    def _mapped(
        self, function: FunctionFacts, index: int, call: Call, starters: list[tuple[int, Call, str]]
    ) -> Iterator[Start]:
        """`gather(*map(fetch, urls))` makes one task for each item."""
        if call.callee != _MAP or len(call.arguments) < _WITH_ITEMS:
            return
        target = self._calls.function(function, call.arguments[0])
        started = any(item[0] > index and is_inside(call.span, item[1].span) for item in starters)
        if started and target is not None and target.is_async and not is_generator(target):
            yield Start(index, call, target, "a task", many=True)

    def _piles_up(self, function: FunctionFacts, index: int, kind: str) -> bool:
        """True if each call of the function adds one more task, rather than filling a single slot."""
        if kind == "gather" or not function.is_method:
            return False
        if kind == "group" or index in function.discarded:
            return True
        following = function.events[index + 1] if index + 1 < len(function.events) else None
        if isinstance(following, Call):
            return following.method in _COLLECTING
        return isinstance(following, Bind) and _is_collected(function, following.name)


def _may_start(call: Call) -> bool:
    """A cheap look before names are resolved."""
    return call.method in _NAMES or (bool(call.arguments) and call.arguments[0].shape is Shape.CALL)


def _is_kept(function: FunctionFacts, index: int) -> bool:
    """True for a coroutine that goes into a variable or a collection before it is started."""
    for event in function.events[index + 1 : index + 6]:
        if isinstance(event, Bind):
            return True
        if isinstance(event, Call):
            return event.method in _COLLECTING
        if isinstance(event, Touch | Pause):
            return False
    return False


def _is_collected(function: FunctionFacts, name: str) -> bool:
    place = Place(name)
    return any(
        isinstance(event, Call)
        and event.method in _COLLECTING
        and any(value.place == place for value in event.arguments)
        for event in function.events
    )


def is_awaited(function: FunctionFacts, index: int) -> bool:
    """True if an await takes the result of a call right away."""
    following = function.events[index + 1] if index + 1 < len(function.events) else None
    return (
        isinstance(following, Pause) and not following.yields and is_inside(_span(function, index), following.span)
    )


def is_awaited_with_others(function: FunctionFacts, index: int) -> bool:
    """True for a coroutine that is awaited through `gather`, `wait_for` or a task, before a lock is given back."""
    span = _span(function, index)
    for at, event in enumerate(function.events[index + 1 :], index + 1):
        if isinstance(event, Call) and event.method in _WAITING_FOR and is_inside(span, event.span):
            return is_awaited(function, at) or _is_kept_and_awaited(function, at)
    return False


def _is_kept_and_awaited(function: FunctionFacts, at: int) -> bool:
    """True for `task = create_task(work())` and then `await task`, with no lock given back in between."""
    following = function.events[at + 1] if at + 1 < len(function.events) else None
    kept = Place(following.name) if isinstance(following, Bind) else None
    if isinstance(following, Touch):
        kept = following.place
    for event in function.events[at + 2 :] if kept is not None else ():
        if isinstance(event, Release):
            return False
        if isinstance(event, Pause) and event.value.place == kept:
            return event.value.shape is Shape.PLACE
    return False


_WAITING_FOR = frozenset({"gather", "wait_for", "shield", "wait", "create_task", "ensure_future"})


def _span(function: FunctionFacts, index: int) -> Span:
    event = function.events[index]
    return event.span if isinstance(event, Call) else function.span


def is_generator(function: FunctionFacts) -> bool:
    return Pause in function.holds and any(isinstance(event, Pause) and event.yields for event in function.events)


def is_inside(inner: Span, outer: Span) -> bool:
    return (outer.line, outer.column) <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= (
        outer.end_line,
        outer.end_column,
    )
