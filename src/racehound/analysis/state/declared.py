"""What authors have declared about the fields of classes and the variables of modules."""

from collections.abc import Iterable

from racehound.analysis.locking.declared_locks import fault_of
from racehound.analysis.meaning.hierarchy import Hierarchy
from racehound.source.declarations import Declaration
from racehound.source.facts import ClassFacts, ModuleFacts


class Declared:
    def __init__(self, modules: Iterable[ModuleFacts], hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self._said: dict[tuple[str, str], dict[str, Declaration]] = {}
        for module in modules:
            for item in module.declarations:
                if not fault_of(module, item):
                    self._said.setdefault((module.path, item.owner), {}).setdefault(item.field, item)

    def __bool__(self) -> bool:
        return bool(self._said)

    def is_confined(self, owner: ClassFacts | ModuleFacts, field: str) -> bool:
        """True if the field, or the attribute that it lies below, belongs to one thread or loop."""
        if not self._said:
            return False
        said = self.of(owner).get(field.partition(".")[0])
        return said is not None and not said.lock

    def of(self, owner: ClassFacts | ModuleFacts) -> dict[str, Declaration]:
        """What is declared for each field, by the class itself or by a base."""
        if isinstance(owner, ModuleFacts):
            return self._said.get((owner.path, ""), {})
        found: dict[str, Declaration] = {}
        for base in reversed(self._hierarchy.linear(owner)):
            found.update(self._said.get((base.module.path, base.qualified_name), {}))
        return found
