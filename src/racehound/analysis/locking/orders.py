"""The order in which locks are taken, over the whole program, and the circles in it."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from racehound.analysis.locking.takings import Taking, Takings
from racehound.analysis.program import Program
from racehound.source.facts import FunctionFacts

_LONGEST = 4
"""Locks of a circle: longer ones are rarely real."""


class Edge(NamedTuple):
    """While `held` is held, `taken` is taken."""

    held: int
    taken: int
    function: FunctionFacts
    at: int
    """Where: the taking itself, or the call that leads to it."""
    guards: int
    """All locks held there."""
    taking: Taking


class Orders:
    def __init__(self, program: Program, takings: Takings) -> None:
        self._program = program
        self._takings = takings
        self.edges: dict[tuple[int, int], list[Edge]] = {}
        for function in takings.owners():
            for edge in self._edges(function):
                self.edges.setdefault((edge.held, edge.taken), []).append(edge)

    def _edges(self, function: FunctionFacts) -> Iterator[Edge]:
        self._takings.learn_around(function)
        for taking in self._takings.direct(function):
            yield from self._under(function, taking.at, taking)
        held = self._program.locksets.within(function)
        if not any(held):
            return
        for index, call, target in self._takings.calls(function):
            if held[index]:
                for taking in self._takings.all(target):
                    yield from self._under(function, index, self._takings.through(call, taking))

    def _under(self, function: FunctionFacts, index: int, taking: Taking) -> Iterator[Edge]:
        """What callers hold is left to them: the step is theirs, where the call is."""
        rest = self._program.locksets.within(function)[index]
        guards = self._program.locksets.at(function, index)
        while rest:
            lowest = rest & -rest
            rest ^= lowest
            if lowest in self._takings.kinds and not guards & taking.lock:
                yield Edge(lowest, taking.lock, function, index, guards, taking)

    def circles(self) -> Iterator[tuple[Edge, ...]]:
        """Each circle once, as one edge per step; the edges have no lock in common that would keep them apart."""
        for start in sorted({held for held, _ in self.edges}):
            yield from self._from(start, (start,))

    def _from(self, start: int, path: tuple[int, ...]) -> Iterator[tuple[Edge, ...]]:
        for held, taken in self.edges:
            if held != path[-1] or taken < start or taken in path[1:]:
                continue
            if taken == start:
                edges = self._choose((*path, start))
                if edges is not None:
                    yield edges
            elif len(path) < _LONGEST:
                yield from self._from(start, (*path, taken))

    def _choose(self, path: tuple[int, ...]) -> tuple[Edge, ...] | None:
        """The plainest edge of each step, if all of them can be under way at once."""
        chosen: list[Edge] = []
        inside = sum(set(path))
        for step in pairwise(path):
            free = [edge for edge in self.edges[step] if not self._is_kept_apart(edge, chosen, inside)]
            if not free:
                return None
            chosen.append(min(free, key=lambda edge: (edge.taking.calls, edge.taking.is_unsure)))
        return tuple(chosen)

    def _is_kept_apart(self, edge: Edge, chosen: list[Edge], inside: int) -> bool:
        return any(edge.guards & other.guards & ~inside for other in chosen)
