"""Event loops and threads: which functions run outside the thread of a loop, which coroutines on several loops."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import Coroutines, Start
from racehound.analysis.awaiting.tasks import RUN
from racehound.analysis.meaning.callers import Callers
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import THREAD_CLASSES
from racehound.analysis.meaning.stood_in import stood_in_for
from racehound.analysis.meaning.wrappers import stand_ins
from racehound.analysis.testfiles import is_test
from racehound.analysis.threads.activations import Context
from racehound.analysis.threads.contexts import Contexts
from racehound.analysis.threads.registered import registered
from racehound.analysis.threads.served import served
from racehound.source.events import SELF, Acquire, Bind, Call, Exit, Flow, Place, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_HOMES = frozenset({"new_event_loop", "set_event_loop", "run_forever", "Runner"})
"""Calls by which a thread gets a loop of its own."""


_ON_ONE_LOOP = "run_until_complete"
"""Says which loop: called again, it goes on with the same one."""


class Run(NamedTuple):
    """A place that runs a loop more than once, or in several threads."""

    function: FunctionFacts
    start: Start
    why: str
    on: ClassFacts | None = None
    """The class of the object, where the runs are known to be those of one object's methods."""
    earlier: tuple[FunctionFacts, ...] = ()
    """What the same function ran before, each on a loop of its own."""
    is_offered: bool = False
    """Nobody is seen to call it, and whoever has the object may do so as often as he likes."""


class Loops:
    def __init__(
        self,
        modules: Iterable[ModuleFacts],
        calls: Calls,
        contexts: Contexts,
        hierarchy: Hierarchy,
        coroutines: Coroutines,
        callers: Callers,
    ) -> None:
        self._modules = tuple(modules)
        self._calls = calls
        self._contexts = contexts
        self._hierarchy = hierarchy
        self._coroutines = coroutines
        self._callers = callers
        self._foreign: dict[FunctionFacts, Context] | None = None

    def foreign(self) -> dict[FunctionFacts, Context]:
        """Functions that run in a thread without a loop of its own; a coroutine always runs on some loop."""
        if self._foreign is None:
            found: dict[FunctionFacts, Context] = {}
            open_ = deque(self._entries())
            for function, context in tuple(open_):
                open_.extend((item, context) for item in self._stand_ins(function))
            while open_:
                function, context = open_.popleft()
                if function.is_async or function in found or _is_home(function):
                    continue
                if context.in_test and not is_test(function.module):
                    continue
                found[function] = context
                for event in function.events:
                    if isinstance(event, Call) and self._calls.spawn(function, event) is None:
                        target = self._calls.target(function, event)
                        if target is not None:
                            open_.extend((item, context) for item in self._run_by(event, target))
            self._foreign = found
        return self._foreign

    def _run_by(self, call: Call, target: FunctionFacts) -> Iterator[FunctionFacts]:
        """What a call runs; of a method of the same object, also those that derived classes have in its place."""
        yield target
        if target.owner is not None and call.callee == Place(SELF, (target.name,)):
            yield from self._hierarchy.overriding(target.owner, target.name)

    def _entries(self) -> Iterator[tuple[FunctionFacts, Context]]:
        for function, spawns in self._contexts.spawns.items():
            for index, context in spawns:
                event = function.events[index]
                for target in self._spawned(function, event) if isinstance(event, Call) else ():
                    yield target, context
        called = registered(self._modules, self._calls)
        for entry in (*served(self._modules, self._hierarchy), *called):
            for context in self._contexts.all(entry.function)[:1]:
                yield entry.function, context
        for item in self._hierarchy.classes:
            if "run" in item.methods and THREAD_CLASSES & self._hierarchy.outside_bases(item):
                for context in self._contexts.all(item.methods["run"])[:1]:
                    yield item.methods["run"], context

    def _spawned(self, function: FunctionFacts, call: Call) -> Iterator[FunctionFacts]:
        """The work that a call hands over; that of a wrapper is what was decorated."""
        spawn = self._calls.spawn(function, call)
        target = self._calls.function(function, spawn.target) if spawn is not None else None
        if target is not None:
            yield target
        elif spawn is not None and _is_given(function, spawn.target):
            yield from stood_in_for(self._modules, self._calls.kinds, function)

    def repeated_runs(self) -> Iterator[Run]:
        """Calls such as `asyncio.run` that make a loop again and again, or one per thread."""
        for module in self._modules:
            for function in module.functions if "async" in module.text else ():
                runs = [start for start in self._coroutines.starts(function) if _is_run(start)]
                threads = self._contexts.all(function)
                for start in runs:
                    if threads:
                        yield Run(function, start, f"a loop of its own in {threads[0]}")
                    elif start.starter == _ON_ONE_LOOP:
                        continue
                    elif start.many:
                        yield Run(function, start, "a new loop in each round", _object_of(function, [start]))
                    elif start is not runs[0]:
                        yield _second(function, runs[: runs.index(start) + 1])
                    else:
                        yield from self._called_again(function, start)
                        yield from self._offered(function, start)

    def _offered(self, function: FunctionFacts, start: Start) -> Iterator[Run]:
        """A method that makes a loop to answer a question: its object is asked more than one."""
        if is_test(function.module) or not _answers(function) or any(True for _ in self._callers.of(function)):
            return
        yield Run(function, start, "a new loop for each call", function.owner, is_offered=True)

    def _called_again(self, function: FunctionFacts, start: Start) -> Iterator[Run]:
        """A plain function that makes a loop and that somebody calls in a loop, or twice in a row."""
        calls: dict[FunctionFacts, list[Call]] = {}
        for caller in self._callers.of(function):
            call = caller.function.events[caller.at]
            if isinstance(call, Call) and not function.is_async and not is_test(caller.function.module):
                calls.setdefault(caller.function, []).append(call)
        for outer, made in calls.items():
            looped = next((call for call in made if call.loop), None)
            if looped is not None:
                same = function.owner if _is_bound_before(outer, looped) else None
                yield Run(function, start, f"a new loop in each round of `{outer.name}`", same)
                return
            if len(made) > 1 and _come_in_turn(outer, made[0], made[-1]):
                same = function.owner if made[0].callee == made[-1].callee else None
                yield Run(function, start, f"a new loop for each call from `{outer.name}`", same)
                return

    def reached(self, start: FunctionFacts) -> set[FunctionFacts]:
        """All that a coroutine runs or sets running on its loop."""
        seen: set[FunctionFacts] = set()
        open_ = deque([start])
        while open_:
            function = open_.popleft()
            if function in seen:
                continue
            seen.add(function)
            open_.extend(self._stand_ins(function))
            for event in function.events:
                if isinstance(event, Acquire):
                    open_.extend(method for _, method in self._calls.entered(function, event))
                if isinstance(event, Call) and self._calls.spawn(function, event) is None:
                    target = self._calls.target(function, event) or self._calls.of_result(function, event)
                    if target is not None:
                        open_.append(target)
        return seen

    def _stand_ins(self, function: FunctionFacts) -> Iterator[FunctionFacts]:
        """What decorators run in place of a function."""
        for place in function.decorators:
            decorator = self._calls.kinds.callee(function.module.functions[0], place)
            if isinstance(decorator, FunctionFacts):
                yield from stand_ins(decorator)


def _is_run(start: Start) -> bool:
    """False for a loop that is at work already, in a thread of its own."""
    return start.what == RUN and start.starter != "run_coroutine_threadsafe"


def _answers(function: FunctionFacts) -> bool:
    """True for `def fetch(self, url): return asyncio.run(...)`: it is there to be called again and again."""
    if not function.is_method or function.name.startswith("_") or len(function.parameters) <= 1:
        return False
    return any(isinstance(event, Exit) and event.value.name == "run" for event in function.events)


def _come_in_turn(caller: FunctionFacts, first: Call, last: Call) -> bool:
    """True if one call comes after the other, rather than in its place."""
    begin, end = (caller.events.index(call) for call in (first, last))
    return not any(event is Flow.ALTERNATIVE or isinstance(event, Exit) for event in caller.events[begin:end])


def _is_given(function: FunctionFacts, value: Value) -> bool:
    """True for what the function around was given: a decorator, and what it decorates."""
    place, outer = value.place, function.parent
    return place is not None and not place.attributes and outer is not None and place.root in outer.parameters


def _second(function: FunctionFacts, runs: list[Start]) -> Run:
    """The last of these runs, which makes one loop more."""
    why = f"a second loop after the one at line {runs[0].call.span.line}"
    earlier = tuple(start.target for start in runs[:-1])
    return Run(function, runs[-1], why, _object_of(function, [runs[0], runs[-1]]), earlier)


def _object_of(function: FunctionFacts, runs: list[Start]) -> ClassFacts | None:
    """The class of the one object whose methods these runs begin with."""
    roots = {start.call.callee.root if start.call.callee is not None else "" for start in runs}
    if roots == {SELF}:
        return function.owner
    kept = len(roots) == 1 and all(_is_kept(function, start.call) for start in runs)
    return runs[-1].target.owner if kept else None


def _is_kept(caller: FunctionFacts, call: Call) -> bool:
    """True for a method of a local object that is made once, in no loop."""
    callee = call.callee
    binds = [
        event
        for event in caller.events
        if isinstance(event, Bind) and callee is not None and event.name == callee.root
    ]
    return callee is not None and len(callee.attributes) == 1 and len(binds) == 1 and not binds[0].loop


def _is_bound_before(caller: FunctionFacts, call: Call) -> bool:
    """True if the object that a method is called on is the same one in each round."""
    root = call.callee.root if call.callee is not None else ""
    binds = [event for event in caller.events if isinstance(event, Bind) and event.name == root]
    return root != SELF and bool(binds) and all(not bind.loop for bind in binds)


def _is_home(function: FunctionFacts) -> bool:
    return any(isinstance(event, Call) and event.method in _HOMES for event in function.events)
