"""All calls of a program by the last name of what they call: who calls a function is asked again and again."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from racehound.analysis.meaning.calls import Calls
from racehound.source.facts import FunctionFacts, ModuleFacts


class Caller(NamedTuple):
    function: FunctionFacts
    at: int
    """Index of the call."""
    target: FunctionFacts | None
    """What the call runs, where that is known."""


class Callers:
    def __init__(self, modules: Iterable[ModuleFacts], calls: Calls) -> None:
        self._modules = tuple(modules)
        self._calls = calls
        self._functions: dict[str, list[FunctionFacts]] = {}
        self._known: dict[str, list[Caller]] = {}
        self._targets: dict[str, dict[FunctionFacts, list[Caller]]] = {}

    def named(self, name: str) -> Sequence[Caller]:
        """Calls of anything that has the name, in the order of the modules."""
        if name not in self._known:
            self._known[name] = [
                Caller(function, at, self._calls.target(function, call))
                for function in self.calling(name)
                for at, call in function.calls_of(name)
            ]
        return self._known[name]

    def of(self, function: FunctionFacts) -> Sequence[Caller]:
        """Calls that are known to run the function."""
        name = function.name
        if name not in self._targets:
            found: dict[FunctionFacts, list[Caller]] = {}
            for caller in self.named(name):
                if caller.target is not None:
                    found.setdefault(caller.target, []).append(caller)
            self._targets[name] = found
        return self._targets[name].get(function, ())

    def calling(self, name: str) -> Sequence[FunctionFacts]:
        """Functions with such a call."""
        if not self._functions:
            for module in self._modules:
                for called, functions in module.callers.items():
                    self._functions.setdefault(called, []).extend(functions)
        return self._functions.get(name, ())
