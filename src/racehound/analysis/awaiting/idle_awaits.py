"""Awaits at which no other task comes: what is awaited there is a coroutine of the program that never waits.

`await self._send_close()` runs straight through what it calls, like a plain call, where that waits for nothing.
"""

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.source.events import Call, Pause
from racehound.source.facts import FunctionFacts

_DEPTH = 3
"""Coroutines that await each other are followed so far."""
_SUBSTANTIAL = 12
"""Events. What is shorter may stand for something longer: a step that heirs fill in, an example."""


class IdleAwaits:
    def __init__(self, calls: Calls, hierarchy: Hierarchy) -> None:
        self._calls = calls
        self._hierarchy = hierarchy

    def of(self, function: FunctionFacts, depth: int = _DEPTH) -> frozenset[int]:
        """Indices of its pauses that are none."""
        if not function.is_async or not depth:
            return frozenset()
        pauses = (index for index, event in enumerate(function.events) if isinstance(event, Pause))
        return frozenset(index for index in pauses if self._is_idle(function, index, depth))

    def _is_idle(self, function: FunctionFacts, index: int, depth: int) -> bool:
        call, pause = function.events[index - 1] if index else None, function.events[index]
        if not isinstance(call, Call) or not isinstance(pause, Pause) or not is_inside(call.span, pause.span):
            return False
        target = self._calls.target(function, call)
        if target is None or pause.yields or pause.value.name != call.method:
            return False
        return self._runs_through(target, depth - 1)

    def _runs_through(self, target: FunctionFacts, depth: int) -> bool:
        if not target.is_async or target.decorators or len(target.events) < _SUBSTANTIAL:
            return False
        if target.owner is not None and any(self._hierarchy.overriding(target.owner, target.name)):
            return False
        pauses = {index for index, event in enumerate(target.events) if isinstance(event, Pause)}
        return pauses <= self.of(target, depth)
