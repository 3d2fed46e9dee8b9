"""Tasks that an object keeps and ends, and that nobody ever asks how they ended.

The attribute holds the task, so the collector does not come to it, and with it to the message about an exception
that was never retrieved: a loop that has died looks like one that runs.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from racehound.analysis.coroutines import is_inside
from racehound.analysis.program import Program
from racehound.source.events import SELF, Action, Call, Exit, Pause, Place, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

_SILENT = frozenset({"cancel", "cancelled", "done", "get_name", "set_name"})
"""What can be asked of a task without hearing of its exception."""


class Unasked(NamedTuple):
    function: FunctionFacts
    call: Call
    """By which the task is started."""
    target: FunctionFacts
    field: str
    ender: FunctionFacts
    cancel: Call


class Unheard:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._mentioned: dict[str, bool] = {}

    def of(self, owner: ClassFacts) -> Iterator[Unasked]:
        for function in owner.methods.values():
            for field, call, target in self._kept(function):
                ending = self._ending(owner, field)
                if ending is not None and not self._is_mentioned_outside(field):
                    for work in self._run_by(target):
                        yield Unasked(function, call, work, field, *ending)

    def _run_by(self, target: FunctionFacts) -> Iterator[FunctionFacts]:
        """The coroutine that was named, and those of derived classes that run in its place."""
        yield target
        if target.owner is not None and target.is_method:
            yield from self._program.hierarchy.overriding(target.owner, target.name)

    def _kept(self, function: FunctionFacts) -> Iterator[tuple[str, Call, FunctionFacts]]:
        """Tasks that go into an attribute as they are started."""
        for start in self._program.coroutines.starts(function):
            for index in range(start.at, len(function.events) - 1):
                event, following = function.events[index], function.events[index + 1]
                if isinstance(event, Call) and is_inside(start.call.span, event.span):
                    kind = self._program.coroutines.kind_of_start(function, event)
                    if kind == "task" and isinstance(following, Touch) and _is_own_attribute(following):
                        yield following.place.attributes[0], event, start.target
                    if kind is not None:
                        break

    def _ending(self, owner: ClassFacts, field: str) -> tuple[FunctionFacts, Call] | None:
        """Where the task is cancelled, if that is all that is ever asked of it."""
        place, found = Place(SELF, (field,)), None
        family = self._program.hierarchy.family(owner)
        for function in (item for related in family for item in self._program.hierarchy.functions(related)):
            for event in function.events:
                if isinstance(event, Touch) and event.place == place and not _is_silent(event):
                    return None
                if (
                    isinstance(event, Call)
                    and event.method == "cancel"
                    and event.callee == _below(place, "cancel")
                ):
                    found = found or (function, event)
                if _speaks_of(event, place) or (isinstance(event, Pause) and event.value.place == place):
                    return None
        return found

    def _is_mentioned_outside(self, field: str) -> bool:
        """True if somebody asks for the attribute of another object than his own."""
        if field not in self._mentioned:
            naming = (module for module in self._program.modules if _may_name(module, field))
            self._mentioned[field] = any(
                field in _foreign_names(function) for module in naming for function in module.functions
            )
        return self._mentioned[field]


def _may_name(module: ModuleFacts, name: str) -> bool:
    """False only if no part of the code can: letters beyond those of ASCII may be spelled in several ways."""
    return name in module.text or not module.text.isascii()


def _is_own_attribute(touch: Touch) -> bool:
    place = touch.place
    return touch.action is Action.WRITE and place.root == SELF and len(place.attributes) == 1


def _below(place: Place, name: str) -> Place:
    return Place(place.root, (*place.attributes, name))


def _is_silent(touch: Touch) -> bool:
    return touch.action in {Action.WRITE, Action.DELETE, Action.CHECK} or touch.method in _SILENT


def _speaks_of(event: object, place: Place) -> bool:
    """True if the task is handed on: given to a call, put somewhere else, returned."""
    if isinstance(event, Call):
        return _has(event.arguments, place) or _has((value for _, value in event.keywords), place)
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
