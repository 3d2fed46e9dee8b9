"""Objects that another one keeps in a field: a thread comes to them that way, and so do others."""

from collections.abc import Iterator

from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.ownership import STARTING
from racehound.analysis.threads.activations import Context, Way
from racehound.source.events import Call, Place
from racehound.source.facts import FunctionFacts


class Holders:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._known = program.ways

    def have_both(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if a thread comes to one by a field, and others come to the other one by the same field.

        What is called by the same field while its object is set up or ended meets nobody.
        """
        if first is second:
            return False
        return any(
            self._are_apart(one, other)
            for one in self._ways(first)
            for other in self._ways(second)
            if one.field == other.field and self._program.hierarchy.are_related(one.holder, other.holder)
        )

    def _ways(self, function: FunctionFacts) -> tuple[Way, ...]:
        if function not in self._known:
            self._known[function] = tuple(self._find(function))
        return self._known[function]

    def _find(self, function: FunctionFacts) -> Iterator[Way]:
        for caller in self._program.mentions.callers(function):
            for _, call in caller.calls_of(function.name):
                base, field = _parts(call)
                if base is not None and self._program.calls.target(caller, call) is function:
                    for holder in self._program.kinds.holders(caller, base):
                        yield Way(caller, holder, field)

    def _are_apart(self, one: Way, other: Way) -> bool:
        here, there = (self._contexts(way.caller) for way in (one, other))
        if here and there:
            return here != there
        if not here and not there:
            return False
        return _is_for_others(other.caller if here else one.caller)

    def _contexts(self, function: FunctionFacts) -> frozenset[Context]:
        """Threads that go on when their starter does."""
        contexts = self._program.contexts.all(function)
        return frozenset(context for context in contexts if not context.is_awaited)


def _is_for_others(function: FunctionFacts) -> bool:
    """True for a public method that is called while the object is at work."""
    if is_constructor(function) or function.name.startswith("_"):
        return False
    return STARTING.match(function.name) is None and TEARDOWN.match(function.name) is None


def _parts(call: Call) -> tuple[Place | None, str]:
    """What has the field, and the field, in `self.server.table.add(...)`."""
    place = call.callee
    if place is None or len(place.attributes) < 2:
        return None, ""
    return Place(place.root, place.attributes[:-2]), place.attributes[-2]
