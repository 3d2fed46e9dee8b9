"""Locks that whoever began a way to a function holds on it: a server, around what it calls."""

from collections.abc import Iterator

from racehound.analysis.activations import Context
from racehound.analysis.callers import Caller
from racehound.analysis.program import Program
from racehound.source.facts import FunctionFacts

_ALL = -1
"""As a set of locks: whatever is asked for."""
_LENGTH = 8
"""How many calls of a way are followed."""


class LockedWays:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._met: dict[FunctionFacts, int] = {}

    def are_in_turn(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if all threads that are known to come to either of the two hold one lock when they do."""
        held = self._asked(first)
        return bool(held and held & self._asked(second))

    def _asked(self, function: FunctionFacts) -> int:
        known = self._program.locked_ways
        if function not in known:
            self._met = {}
            known[function] = self._held(function, _LENGTH)
        return known[function]

    def _held(self, function: FunctionFacts, left: int) -> int:
        if function not in self._met:
            self._met[function] = _ALL  # a way that comes back adds nothing
            self._met[function] = self._find(function, left) if left else 0
        return self._met[function]

    def _find(self, function: FunctionFacts, left: int) -> int:
        contexts, covered, held = self._contexts(function), set[Context](), _ALL
        for caller in self._callers(function) if contexts else ():
            common = contexts & self._contexts(caller.function)
            if common:
                covered |= common
                locks = self._program.locksets.at(caller.function, caller.at)
                held &= locks or self._held(caller.function, left - 1)
        return held if contexts and contexts <= covered else 0

    def _contexts(self, function: FunctionFacts) -> set[Context]:
        contexts = self._program.contexts
        return {item.context for item in (*contexts.of(function), *contexts.beside(function))}

    def _callers(self, function: FunctionFacts) -> Iterator[Caller]:
        """Calls of it, and of what it stands in for in a derived class."""
        yield from self._program.callers.of(function)
        owner = function.owner
        for base in self._program.hierarchy.linear(owner)[1:] if owner is not None else ():
            if function.name in base.methods:
                yield from self._program.callers.of(base.methods[function.name])
