"""Helpers that take a lock and return with it, or give it back: `self._acquire()`, `self._release()`."""

from typing import NamedTuple

from racehound.analysis.meaning.calls import Calls
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.source.events import OTHER, Acquire, Call, Exit, Release, Value
from racehound.source.facts import FunctionFacts, ModuleFacts


class Kept(NamedTuple):
    """What a call of a helper leaves changed."""

    helper: FunctionFacts
    taken: tuple[Value, ...]
    given: tuple[Value, ...]


class Keepers:
    """Helpers of the own module, and of the modules that the bases of the own class are in."""

    def __init__(self, hierarchy: Hierarchy, calls: Calls) -> None:
        self._hierarchy = hierarchy
        self._calls = calls
        self._known: dict[ModuleFacts, dict[str, list[Kept]]] = {}
        self._calls_of: dict[FunctionFacts, dict[int, Kept]] = {}

    def calls(self, function: FunctionFacts) -> dict[int, Kept]:
        """The calls of such helpers in a function, by the index of the event."""
        if function not in self._calls_of:
            self._calls_of[function] = self._find(function)
        return self._calls_of[function]

    def _find(self, function: FunctionFacts) -> dict[int, Kept]:
        modules = {function.module: None}
        if function.owner is not None:
            modules.update(dict.fromkeys(base.module for base in self._hierarchy.linear(function.owner)))
        names = [(name, kept) for module in modules for name, kept in self._of(module).items()]
        found: dict[int, Kept] = {}
        for name, helpers in names:
            if function in function.module.callers.get(name, ()):
                found.update(self._named(function, name, helpers))
        return found

    def _named(self, function: FunctionFacts, name: str, helpers: list[Kept]) -> dict[int, Kept]:
        found: dict[int, Kept] = {}
        for index, event in enumerate(function.events):
            if isinstance(event, Call) and event.method == name:
                target = self._calls.target(function, event)
                found.update((index, kept) for kept in helpers if kept.helper is target)
        return found

    def _of(self, module: ModuleFacts) -> dict[str, list[Kept]]:
        if module not in self._known:
            known: dict[str, list[Kept]] = {}
            for function in module.functions:
                kept = None if function.holds.isdisjoint(_TAKING) else _kept(function)
                if kept is not None:
                    known.setdefault(function.name, []).append(kept)
            self._known[module] = known
        return self._known[module]


_TAKING = frozenset({Acquire, Release})


def _kept(function: FunctionFacts) -> Kept | None:
    """Nothing for a helper that answers something: most often whether it got the lock."""
    if function.is_async or function.name.startswith("__") or any(map(_answers, function.events)):
        return None
    taken = [event.value for event in function.events if isinstance(event, Acquire) and not event.is_async]
    given = [event.value for event in function.events if isinstance(event, Release)]
    kept = Kept(
        helper=function,
        taken=tuple(value for value in taken if value.place is not None and value not in given),
        given=tuple(value for value in given if value.place is not None and value not in taken),
    )
    return kept if kept.taken or kept.given else None


def _answers(event: object) -> bool:
    """False for a `return` by itself."""
    return isinstance(event, Exit) and event.kind == "return" and (event.value is not OTHER or bool(event.sources))
