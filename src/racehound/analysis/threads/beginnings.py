"""From where on a starter, and whoever called it, has a thread running beside itself."""

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from racehound.analysis.flow.stretches import are_alternatives, stretches_after
from racehound.analysis.meaning.calls import Calls, Spawn
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.threads.activations import Context
from racehound.source.events import SELF, Bind, Call, Release, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

BESIDE = "the thread beside the one"
_AT_ONCE = frozenset({"submit", "apply_async", "map_async", "start_new_thread"})
_WAITS = frozenset({"join", "result", "wait", "as_completed", "shutdown", "stop", "cancel", "gather", "close"})
_HEIGHT = 2
"""How many callers of callers of a starter are looked at."""


class Beginning(NamedTuple):
    function: FunctionFacts
    begin: int
    end: int
    context: Context
    shared: frozenset[str]
    """Roots of the objects that the thread has, too."""


class Started(NamedTuple):
    function: FunctionFacts
    at: int
    call: Call
    spawn: Spawn
    context: Context


class Beginnings:
    def __init__(self, modules: Sequence[ModuleFacts], calls: Calls, hierarchy: Hierarchy) -> None:
        self._modules = modules
        self._calls = calls
        self._hierarchy = hierarchy
        self._known_calls: dict[FunctionFacts, list[tuple[FunctionFacts, int, Call]]] = {}
        self._ends: dict[FunctionFacts, list[int]] = {}

    def of(self, started: Iterable[Started]) -> Iterator[Beginning]:
        """Threads that are started on a function."""
        for item in started:
            at = _start_of(item)
            if at is not None and not self._hands_over(item):
                yield from self._from(item.function, at, item.context, self._common(item), _HEIGHT)

    def _hands_over(self, started: Started) -> bool:
        """True for a timer that a function starts for its own next round."""
        return self._calls.function(started.function, started.spawn.target) is started.function

    def of_objects(self, threads: Mapping[ClassFacts, Context]) -> Iterator[Beginning]:
        """Threads that are objects of a class of the program."""
        for function, index, call, context in self._objects_started(threads):
            yield from self._from(function, index, context, _given(function, call), _HEIGHT)

    def of_given(self, given: Iterable[tuple[FunctionFacts, int, Context]]) -> Iterator[Beginning]:
        """Threads of a framework that is given something to call."""
        for function, index, context in given:
            yield from self._from(function, index, context, frozenset(), 0)

    def _common(self, started: Started) -> frozenset[str]:
        """What the starter and the work both have."""
        spawn, function = started.spawn, started.function
        places = [value.place for value in (spawn.target, *spawn.arguments) if value.place is not None]
        roots = {place.root for place in places if place.attributes or place is not spawn.target.place}
        target = self._calls.function(function, spawn.target)
        if target is not None and not target.is_method and target.parent is function:
            roots |= {SELF, *(function.bound & target.loads.keys())}
        return frozenset(roots)

    def _objects_started(
        self, threads: Mapping[ClassFacts, Context]
    ) -> Iterator[tuple[FunctionFacts, int, Call, Context]]:
        """`worker.start()`, where `worker` is an object of a class of threads."""
        for module in self._modules if threads else ():
            for function in module.callers.get("start", ()):
                for index, call in function.calls_of("start"):
                    for kind in self._calls.kinds.value(function, call.receiver) if call.receiver else ():
                        if isinstance(kind, ClassFacts) and kind in threads:
                            yield function, index, call, threads[kind]

    def _from(
        self, function: FunctionFacts, index: int, context: Context, shared: frozenset[str], height: int
    ) -> Iterator[Beginning]:
        end, beside = self._end(function, index), context._replace(what=BESIDE, many=False)
        for begin, stop in stretches_after(function, index, end):
            yield Beginning(function, begin, stop, beside, shared)
        if height and end == len(function.events) and not function.is_module_body:
            for caller, at, call in self._calls_of(function):
                yield from self._from(caller, at, context, self._seen_by(caller, at, call, shared), height - 1)

    def _end(self, function: FunctionFacts, begin: int) -> int:
        if function not in self._ends:
            self._ends[function] = _ends(function)
        found = self._ends[function]
        place = bisect(found, begin)
        return found[place] if place < len(found) else len(function.events)

    def _calls_of(self, function: FunctionFacts) -> list[tuple[FunctionFacts, int, Call]]:
        """A function that starts several threads is asked about for each."""
        if function not in self._known_calls:
            self._known_calls[function] = list(self._find_calls(function))
        return self._known_calls[function]

    def _find_calls(self, function: FunctionFacts) -> Iterator[tuple[FunctionFacts, int, Call]]:
        owner = function.owner if function.name == "__init__" else None
        wanted = owner or function
        for module in self._modules:
            for caller in module.callers.get(wanted.name, ()):
                for index, call in caller.calls_of(wanted.name):
                    if self._runs(caller, call, wanted):
                        yield caller, index, call

    def _runs(self, caller: FunctionFacts, call: Call, wanted: FunctionFacts | ClassFacts) -> bool:
        return call.callee is not None and self._calls.kinds.callee(caller, call.callee) is wanted

    def _seen_by(self, caller: FunctionFacts, index: int, call: Call, shared: frozenset[str]) -> frozenset[str]:
        """The object that the call went to, where the thread has it: what else it has is not known there."""
        if SELF not in shared or call.callee is None:
            return frozenset()
        if call.callee.attributes and not call.method[:1].isupper():
            return frozenset({call.callee.root})
        following = caller.events[index + 1] if index + 1 < len(caller.events) else None
        return frozenset({following.name}) if isinstance(following, Bind) else frozenset()


def _start_of(started: Started) -> int | None:
    """A pool begins at once, a thread when it is started; None where that is left to others."""
    if started.call.method in _AT_ONCE:
        return started.at
    if started.context.what != "a thread" or started.call.method in {"to_thread", "run_sync", "run_in_threadpool"}:
        return None
    events = started.function.events
    for index in range(started.at + 1, len(events)):
        event = events[index]
        if isinstance(event, Call) and event.method == "start" and not event.arguments:
            return index
    return None


def _ends(function: FunctionFacts) -> list[int]:
    """Where the starter waits, perhaps for this thread, or leaves the pool that it gave the work to."""
    return [
        index
        for index, event in enumerate(function.events)
        if (isinstance(event, Call) and event.method in _WAITS)
        or (isinstance(event, Release) and event.value.shape is Shape.CALL)
    ]


def _given(function: FunctionFacts, call: Call) -> frozenset[str]:
    """The thread itself, and what it was made with."""
    place = call.receiver.place if call.receiver is not None else None
    if place is None:
        return frozenset()
    made = function.bindings.get(place.root, ()) if not place.attributes else ()
    given = [value for item in made if item.shape is Shape.CALL for value in _arguments(item)]
    return frozenset({place.root, *(value.place.root for value in given if value.place is not None)})


def _arguments(value: Value) -> Iterator[Value]:
    yield from value.arguments
    yield from (given for _, given in value.keywords)


def begun_instead(others: Iterable[Started], at: int, spawn: Spawn) -> Context | None:
    """Where another branch starts a thread for the same work: each time one of the two is started."""
    for item in others:
        same = item.spawn.target == spawn.target and not item.spawn.many and not spawn.many
        if same and are_alternatives(item.function.events, item.at, at):
            return item.context
    return None


def is_start_of(one: Context, other: Context) -> bool:
    """True if one runs beside the thread that the other is."""
    return one.what == BESIDE and other.what != BESIDE and (one.path, one.line) == (other.path, other.line)
