"""Functions and classes of the program that run what they are given in a thread: `spawn(work)`, `Ticker(work)`.

Most larger programs have one. Whoever calls it starts the thread, as far as sharing goes: the work that is given
is what runs beside the rest.
"""

from collections.abc import Iterator, Sequence

from racehound.analysis.meaning.arguments import given
from racehound.analysis.meaning.calls import Calls, Starters
from racehound.analysis.meaning.constructions import given_values
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.analysis.meaning.kinds import THREAD_CLASSES, THREADS
from racehound.analysis.threads.waited import is_over_in
from racehound.source.events import SELF, Action, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_ROUNDS = 3
"""How many functions may hand the work on to each other."""


def learn_starters(modules: Sequence[ModuleFacts], calls: Calls, hierarchy: Hierarchy) -> None:
    """From then on, calls of them start threads."""
    found: Starters = {}
    for item in hierarchy.classes:
        if (THREAD_CLASSES | THREADS) & hierarchy.outside_bases(item):
            for start, name in _kept_by(hierarchy, item):
                found.setdefault(start, {})[name] = False
    for _ in range(_ROUNDS):
        calls.learn(found, _names(hierarchy, found))
        further = _passing_on(modules, calls)
        if not further.keys() - found.keys():
            return
        found = {**further, **found}
    calls.learn(found, _names(hierarchy, found))


def _names(hierarchy: Hierarchy, found: Starters) -> frozenset[str]:
    """What is called: functions by their names, constructors by those of their classes and of derived ones."""
    plain = {function.name for function in found if function.name != "__init__"}
    made = {
        item.name for item in hierarchy.classes if (start := hierarchy.method(item, "__init__")) and start in found
    }
    return frozenset(plain | made)


def _passing_on(modules: Sequence[ModuleFacts], calls: Calls) -> Starters:
    found: Starters = {}
    for module in modules:
        for function in calls.spawning(module):
            for name, many in _passed_on(calls, function):
                found.setdefault(function, {})[name] = many
    return found


def _passed_on(calls: Calls, function: FunctionFacts) -> Iterator[tuple[str, bool]]:
    """Parameters that the function itself gives to a thread, and does not wait for."""
    for index, event in enumerate(function.events if function.parameters else ()):
        if not isinstance(event, Call) or not _gives_a_parameter(function, event):
            continue  # asked first, for it is cheap
        spawn = calls.spawn(function, event)
        name = None if spawn is None else _parameter(function, spawn.target)
        if spawn is not None and name is not None and not is_over_in(function, index):
            yield name, spawn.many


def _gives_a_parameter(function: FunctionFacts, call: Call) -> bool:
    return any(_parameter(function, value) is not None for value in given_values(call))


def _parameter(function: FunctionFacts, value: Value) -> str | None:
    if value.shape is not Shape.PLACE or value.place is None or value.place.attributes:
        return None
    return value.place.root if value.place.root in function.parameters else None


def _kept_by(hierarchy: Hierarchy, item: ClassFacts) -> Iterator[tuple[FunctionFacts, str]]:
    """What the constructor of a thread keeps for `run` to call, or gives to `Thread` as its target."""
    start, run = hierarchy.method(item, "__init__"), hierarchy.method(item, "run")
    if start is None:
        return
    called = set() if run is None else set(_called_fields(hierarchy, item, run))
    for event in start.events:
        if isinstance(event, Touch) and event.action is Action.WRITE and event.place.root == SELF:
            if event.place.attributes[0] in called:
                yield from ((start, name) for value in event.values if (name := _parameter(start, value)))
        elif isinstance(event, Call) and event.method == "__init__":
            for word, value in given(start, event):
                if word == "target" and (name := _parameter(start, value)):
                    yield start, name


def _called_fields(hierarchy: Hierarchy, item: ClassFacts, run: FunctionFacts) -> Iterator[str]:
    for event in run.events:
        if isinstance(event, Call) and event.callee == Place(SELF, (event.method,)):
            step = hierarchy.method(item, event.method)
            if step is None:
                yield event.method
