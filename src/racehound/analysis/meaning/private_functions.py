"""Functions that nobody outside of their module calls, as far as names tell, and where they are called."""

from collections import Counter
from collections.abc import Iterable

from racehound.analysis.meaning.calls import Calls
from racehound.source.events import Acquire, Call
from racehound.source.facts import FunctionFacts, ModuleFacts


class PrivateFunctions:
    """Those of the modules themselves; methods belong to their classes."""

    def __init__(self, modules: Iterable[ModuleFacts], calls: Calls) -> None:
        self._modules = tuple(modules)
        self._calls = calls
        self._homes: Counter[str] | None = None

    def callers(self, module: ModuleFacts) -> dict[FunctionFacts, list[tuple[FunctionFacts, int]]]:
        """Where each of them is called; those that are also used as a value, or decorated, are left out."""
        if not any(Acquire in function.holds for function in module.functions):
            return {}
        values = {name for function in module.functions for name in function.loads}
        found: dict[FunctionFacts, list[tuple[FunctionFacts, int]]] = {
            item: [] for item in module.functions[1:] if item.name not in values and self._is_private(item)
        }
        names = {item.name for item in found}
        for caller in dict.fromkeys(item for name in sorted(names) for item in module.callers.get(name, ())):
            for index, event in enumerate(caller.events):
                if isinstance(event, Call) and event.method in names:
                    self._count(found, caller, index, event)
        return found

    def _count(
        self,
        found: dict[FunctionFacts, list[tuple[FunctionFacts, int]]],
        caller: FunctionFacts,
        at: int,
        call: Call,
    ) -> None:
        target = self._calls.target(caller, call)
        if target is not None and target in found:
            found[target].append((caller, at))

    def _is_private(self, function: FunctionFacts) -> bool:
        if function.owner is not None or function.decorators or function.is_async:
            return False
        return function.name.startswith("_") and self._known_homes()[function.name] == 1

    def _known_homes(self) -> "Counter[str]":
        """In how many modules each private name is called or imported."""
        if self._homes is None:
            self._homes = Counter(name for module in self._modules for name in _private_names(module))
        return self._homes


def _private_names(module: ModuleFacts) -> set[str]:
    imported = {origin.rpartition(".")[2] for origin in module.imports.values()}
    return {name for name in (*module.callers, *imported) if name.startswith("_")}
