"""Tasks that are kept and ended, and that nobody ever asks how they ended.

What holds the task keeps the collector from it, and with it from the message about an exception that was never
retrieved: a loop that has died looks like one that runs. A task that is let go when it is done is told of at once.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.awaiting.kept_tasks import SILENT, kept_tasks
from racehound.analysis.program import Program
from racehound.source.events import SELF, Action, Bind, Call, Decision, Exit, Flow, Pause, Place, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_STORING = frozenset({"add", "append", "appendleft", "clear", "discard", "insert", "remove", "setdefault"})
"""What can be done to a collection of tasks without a look at one."""
_GIVING = frozenset({"get", "items", "pop", "popitem", "popleft", "values"})
_LETTING_GO = frozenset({"clear", "discard", "pop", "popitem", "popleft", "remove"})
_COPYING = frozenset({"list", "reversed", "set", "sorted", "tuple"})
_PASSING = _COPYING | _GIVING


class Unasked(NamedTuple):
    function: FunctionFacts
    call: Call
    """By which the task is started."""
    target: FunctionFacts
    place: Place
    ender: FunctionFacts
    cancel: Call


class Unheard:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._mentioned: dict[str, bool] = {}

    def of(self, owner: ClassFacts) -> Iterator[Unasked]:
        family = self._program.hierarchy.family(owner)
        near = [item for related in family for item in self._program.hierarchy.functions(related)]
        for function in owner.methods.values():
            yield from self._among(function, near, of_self=True)

    def of_module(self, module: ModuleFacts) -> Iterator[Unasked]:
        for function in module.functions if "cancel" in module.callers else ():
            yield from self._among(function, module.functions, of_self=False)

    def _among(
        self, function: FunctionFacts, near: Iterable[FunctionFacts], *, of_self: bool
    ) -> Iterator[Unasked]:
        for place, call, target in kept_tasks(self._program, function):
            if (place.root == SELF) != of_self or _lets_go(target, place) or _is_replaced(function, place):
                continue
            ending = _ending(near, place)
            if ending is not None and not self._is_mentioned_outside(place, function.module):
                for work in self._run_by(target):
                    yield Unasked(function, call, work, place, *ending)

    def _run_by(self, target: FunctionFacts) -> Iterator[FunctionFacts]:
        """The coroutine that was named, and those of derived classes that run in its place."""
        yield target
        if target.owner is not None and target.is_method:
            yield from self._program.hierarchy.overriding(target.owner, target.name)

    def _is_mentioned_outside(self, place: Place, module: ModuleFacts) -> bool:
        """True if somebody asks for the attribute of another object than his own, or for it in another module."""
        if place.root != SELF:
            others = (item for item in self._program.modules if item is not module)
            return any(_may_name(item, place.root) for item in others)
        field = place.attributes[0]
        if field not in self._mentioned:
            naming = (item for item in self._program.modules if _may_name(item, field))
            self._mentioned[field] = any(
                field in _foreign_names(function) for item in naming for function in item.functions
            )
        return self._mentioned[field]


def _lets_go(target: FunctionFacts, place: Place) -> bool:
    """True if the task takes itself away however it ends: then the collector tells of it."""
    if Flow.FINALLY not in target.events:
        return False
    last = target.events[target.events.index(Flow.FINALLY) :]
    touches = (event for event in last if isinstance(event, Touch) and event.place == place)
    return any(event.action in {Action.WRITE, Action.DELETE} or event.method in _LETTING_GO for event in touches)


def _is_replaced(starter: FunctionFacts, place: Place) -> bool:
    """True for `if self._task.done(): self._task = ...`: one that has died is let go there, and told of."""
    asked = Place(place.root, (*place.attributes, "done"))
    return any(call.callee == asked for _, call in starter.calls_of("done"))


def _ending(near: Iterable[FunctionFacts], place: Place) -> tuple[FunctionFacts, Call] | None:
    """Where the task is cancelled, if that is all that is ever asked of it."""
    found: list[tuple[FunctionFacts, Call]] = []
    for function in near:
        if place.root != SELF and place.root in function.bound:
            continue
        if not all(_is_silent(function, index, place) for index in range(len(function.events))):
            return None
        found += [(function, call) for call in _cancels(function, place)]
    return found[0] if found else None


def _is_silent(function: FunctionFacts, index: int, place: Place) -> bool:
    """True for an event that neither asks the task, or one of the tasks, nor gives it to somebody who may."""
    event = function.events[index]
    if isinstance(event, Pause):
        return event.value.place != place
    if isinstance(event, Bind):
        return True  # judged where it is read
    if not isinstance(event, Touch) or event.place != place:
        return not _speaks_of(event, place)
    if event.method in SILENT or event.action in {Action.WRITE, Action.WRITE_ITEM, Action.DELETE}:
        return True
    if (event.action is Action.CHECK and not event.method) or event.method in _STORING:
        return True
    taker = _taker(function, index) if not event.method or event.method in _GIVING else None
    return taker is not None and (not taker or _is_only_cancelled(function, taker, index))


def _taker(function: FunctionFacts, index: int) -> str | None:
    """The variable that takes what is read there; no name where it is cancelled at once, None where it is lost."""
    read, name = function.events[index], None
    for at in range(index + 1, len(function.events)):
        event = function.events[at]
        if isinstance(event, Call) and isinstance(read, Touch) and is_inside(read.span, event.span):
            if event.method in SILENT or at in function.discarded:
                return ""
            if event.method not in _PASSING:
                return None
        elif isinstance(event, Bind):
            name = event.name
        elif name is not None or not (isinstance(event, Decision | Touch) or event in {Flow.FORK, Flow.LOOP}):
            break  # what else is read on the way is another one of `for task in (self._reader, self._writer)`
    return name


def _is_only_cancelled(function: FunctionFacts, name: str, source: int) -> bool:
    """True if nothing else is done with a variable but to see whether there is something in it."""
    ours = {Place(name, (word,)) for word in SILENT}
    cancelled = sum(isinstance(event, Call) and event.callee in ours for event in function.events)
    looked = sum(isinstance(event, Decision) and source in event.sources for event in function.events)
    keys = sum(isinstance(event, Touch) and event.key == f"[{name}]" for event in function.events)
    nested = (item for item in function.module.functions if item.parent is function)
    return function.loads.get(name, 0) <= cancelled + looked + keys and not any(
        item.loads.get(name) for item in nested
    )


def _cancels(function: FunctionFacts, place: Place) -> Iterator[Call]:
    """Calls of `cancel` on the place, on what it gives, and on a variable that was taken from there."""
    calls = function.calls_of("cancel")
    read = [
        index for index, event in enumerate(function.events) if isinstance(event, Touch) and event.place == place
    ]
    ours = {place, *(Place(place.root, (*place.attributes, word)) for word in _GIVING)}
    ours.update(Place(name) for index in read if calls and (name := _taker(function, index)))
    for _, call in calls:
        receiver = call.receiver
        if receiver is not None and (receiver.place in ours or _has(receiver.arguments, place)):
            yield call


def _may_name(module: ModuleFacts, name: str) -> bool:
    """False only if no part of the code can: letters beyond those of ASCII may be spelled in several ways."""
    return name in module.text or not module.text.isascii()


def _speaks_of(event: object, place: Place) -> bool:
    """True if the task is handed on: given to a call, put somewhere else, returned."""
    if isinstance(event, Call):
        given = (*event.arguments, *(value for _, value in event.keywords))
        return event.method not in _COPYING | {"len", "bool"} and _has(given, place)
    if isinstance(event, Exit):
        return _has((event.value,), place)
    return _has(getattr(event, "values", ()), place)


def _has(values: Iterable[Value], place: Place) -> bool:
    return any(value.place == place or _has(value.arguments, place) for value in values)


def _foreign_names(function: FunctionFacts) -> Iterator[str]:
    for event in function.events:
        for place in _places(event):
            if place is not None and place.attributes:
                yield from place.attributes if place.root != SELF else place.attributes[1:]


def _places(event: object) -> list[Place | None]:
    if isinstance(event, Call):
        return [event.callee, *(value.place for value in event.arguments)]
    if isinstance(event, Touch):
        return [event.place]
    return [event.value.place] if isinstance(event, Pause | Exit) else []
