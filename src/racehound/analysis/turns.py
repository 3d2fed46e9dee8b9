"""Functions that all who are known come to in turn: a script that starts no thread, threads with a join between.

Who calls a function is followed up to the body of a module, to `main` or to the start of a thread. Where it is
handed on, or has no caller at all, nobody knows who comes.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from racehound.analysis.program import Program
from racehound.analysis.twins import Courses
from racehound.analysis.waited import is_waited_for_at_once
from racehound.source.events import Bind, Call, Exit, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts

if TYPE_CHECKING:
    from racehound.analysis.activations import Context

Coming = tuple[FunctionFacts | None, int]
"""The start of a thread; or `_MAIN`."""
_MAIN: Coming = (None, 0)
_HEIGHT = 8
"""Callers of callers that are asked."""


class Turns:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._courses = Courses()
        self._starts: dict[Context, list[Coming]] = {}
        for function, starts in program.contexts.spawns.items():
            for index, context in starts:
                self._starts.setdefault(context, []).append((function, index))
        self._known: dict[FunctionFacts, frozenset[Coming | None]] = {}

    def are_taken(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if no two of those who come to the one and to the other are under way at the same time."""
        ours, theirs = self._comings(first, _HEIGHT), self._comings(second, _HEIGHT)
        return all(self._is_after(one, other) for one in ours for other in theirs)

    def _is_after(self, one: Coming | None, other: Coming | None) -> bool:
        if one is None or other is None:
            return False
        function, at = one
        if one == other or function is None or other[0] is None:
            return True  # what runs beside a thread is not known to come, see `_comings`
        return function is other[0] and not self._courses.are_beside(function, at, other[1])

    def _comings(self, function: FunctionFacts, height: int) -> frozenset[Coming | None]:
        if function not in self._known:
            self._known[function] = frozenset()  # functions that call each other add nothing
            self._known[function] = frozenset(self._find(function, height))
        return self._known[function]

    def _find(self, function: FunctionFacts, height: int) -> Iterator[Coming | None]:
        if function.is_module_body:
            yield _MAIN
            return
        contexts = self._program.contexts
        callers = self._callers(function)
        if not height or callers is None or function.decorators or contexts.beside(function):
            yield None
            return
        for context in contexts.all(function):
            yield from (None,) if context.many else self._starts.get(context, (None,))
        for caller in callers:
            yield from self._comings(caller, height - 1)
        if not callers and not contexts.all(function):
            yield _MAIN if function.name == "main" else None

    def _callers(self, function: FunctionFacts) -> list[FunctionFacts] | None:
        """Those that call it, or wait for a thread that does; None where it is handed to anybody else."""
        found = list(self._program.mentions.callers(function))
        for user, event in self._naming(function):
            if not isinstance(event, Call):
                return None
            if is_waited_for_at_once(user, event):
                found.append(user)
            elif self._program.calls.spawn(user, event) is None:
                return None
        return found

    def _naming(self, function: FunctionFacts) -> Iterator[tuple[FunctionFacts, object]]:
        """Where the function is named without being called."""
        for module in self._program.modules:
            for user in module.functions if function.name in module.text else ():
                for event in user.events:
                    if any(_last(place) == function.name for place in _places(_values(event))):
                        yield user, event


def _values(event: object) -> tuple[Value, ...]:
    if isinstance(event, Call):
        return (*event.arguments, *(value for _, value in event.keywords))
    if isinstance(event, Bind | Touch):
        return event.values
    return (event.value,) if isinstance(event, Exit) else ()


def _places(values: Iterable[Value]) -> Iterator[Place]:
    for value in values:
        if value.place is not None and value.shape is Shape.PLACE:
            yield value.place
        yield from _places(value.arguments)


def _last(place: Place) -> str:
    return (place.attributes or (place.root,))[-1]
