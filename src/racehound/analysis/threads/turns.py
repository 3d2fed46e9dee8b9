"""Functions that all who are known come to in turn: a script that starts no thread, threads with a join between.

Who calls a function is followed up to the body of a module, to `main` or to the start of a thread. Where it is
handed on, or has no caller at all, nobody knows who comes.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from racehound.analysis.meaning.named_values import named_by
from racehound.analysis.program import Program
from racehound.analysis.threads.twins import Courses
from racehound.analysis.threads.waited import is_waited_for_at_once
from racehound.source.events import Call, Place
from racehound.source.facts import FunctionFacts

if TYPE_CHECKING:
    from racehound.analysis.threads.activations import Context

Coming = tuple[FunctionFacts | None, int]
"""The start of a thread; or `_MAIN`."""
_MAIN: Coming = (None, 0)


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
        if any(map(self._program.contexts.beside, (first, second))):
            return False
        ours, theirs = self._comings(first), self._comings(second)
        return bool(ours and theirs) and all(self._is_after(one, other) for one in ours for other in theirs)

    def _is_after(self, one: Coming | None, other: Coming | None) -> bool:
        if one is None or other is None:
            return False
        function, at = one
        if one == other or function is None or other[0] is None:
            return True  # what goes on beside a thread was asked about before
        return function is other[0] and not self._courses.are_beside(function, at, other[1])

    def _comings(self, function: FunctionFacts) -> frozenset[Coming | None]:
        """Of a function and of all who call it; None stands for anybody."""
        if function not in self._known:
            found: set[Coming | None] = set()
            asked, open_ = set[FunctionFacts](), [function]
            while open_ and None not in found:
                item = open_.pop()
                asked.add(item)
                ways = list[FunctionFacts]()
                found.update(self._direct(item, ways))
                open_ += [way for way in ways if way not in asked]
            self._known[function] = frozenset(found)
        return self._known[function]

    def _direct(self, function: FunctionFacts, ways: list[FunctionFacts]) -> Iterator[Coming | None]:
        """Who comes to a function otherwise than by a call; those who call it are added to the ways."""
        if function.is_module_body:
            yield _MAIN
            return
        contexts = self._program.contexts.all(function)
        callers = self._program.mentions.callers(function)
        handed = list(self._handed(function, ways))
        ways += callers
        yield from handed
        for context in contexts:
            yield from (None,) if context.many else self._starts.get(context, (None,))
        if function.decorators or not (callers or contexts or handed or function.name == "main"):
            yield None
        elif not callers and not contexts and not handed:
            yield _MAIN

    def _handed(self, function: FunctionFacts, ways: list[FunctionFacts]) -> Iterator[Coming | None]:
        """Threads that their starter waits for at once; None where the function is handed to anybody else."""
        for user, index in self._naming(function):
            event = user.events[index]
            if isinstance(event, Call) and is_waited_for_at_once(user, event):
                ways.append(user)
                yield user, index
            elif not isinstance(event, Call) or self._program.calls.spawn(user, event) is None:
                yield None

    def _naming(self, function: FunctionFacts) -> Iterator[tuple[FunctionFacts, int]]:
        """Where the function is named without being called, or may be."""
        for module in self._program.modules:
            for user in module.functions:
                for index, event in enumerate(user.events):
                    if any(self._may_be(user, place, function) for place in named_by(event)):
                        yield user, index

    def _may_be(self, user: FunctionFacts, place: Place, function: FunctionFacts) -> bool:
        if _last(place) != function.name:
            return False
        meant = self._program.kinds.callee(user, place)
        if not isinstance(meant, FunctionFacts) or meant.owner is None or function.owner is None:
            return meant is None or meant is function
        linear = self._program.hierarchy.linear
        return meant.owner in linear(function.owner) or function.owner in linear(meant.owner)


def _last(place: Place) -> str:
    return (place.attributes or (place.root,))[-1]
