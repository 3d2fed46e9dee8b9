"""What a dotted name means: a definition of the analysed program, or something outside it."""

import sys
from collections.abc import Iterable
from typing import TypeAlias

from racehound.source.events import Place
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

Definition: TypeAlias = ClassFacts | FunctionFacts | ModuleFacts | str
"""A string is the dotted name of something outside the program."""

_REEXPORTS = 4
"""How many imports of imports are followed."""


class Names:
    """Finds modules by dotted name and definitions in them."""

    def __init__(self, modules: Iterable[ModuleFacts]) -> None:
        self._by_suffix: dict[str, list[ModuleFacts]] = {}
        self._definitions: dict[ModuleFacts, dict[str, ClassFacts | FunctionFacts]] = {}
        for module in modules:
            parts = dotted_path(module.path).split(".")
            for start in range(len(parts)):
                self._by_suffix.setdefault(".".join(parts[start:]), []).append(module)
            self._definitions[module] = _definitions(module)

    def local(self, module: ModuleFacts, name: str) -> ClassFacts | FunctionFacts | None:
        """A class or function by its qualified name within a module."""
        return self._definitions[module].get(name)

    def resolve(self, module: ModuleFacts, place: Place) -> Definition | None:
        """What a place means at module level; None for a variable and for what cannot be known."""
        root = place.root
        if root in module.imports:
            return self.dotted(module, ".".join((module.imports[root], *place.attributes)))
        if root in module.variables:
            return None
        found = self._definitions[module].get(".".join((root, *place.attributes)))
        if found is None and root not in self._definitions[module]:
            return ".".join((root, *place.attributes))
        return found

    def dotted(self, module: ModuleFacts, name: str, depth: int = _REEXPORTS) -> Definition | None:
        name = absolute(module, name)
        if name.partition(".")[0] in sys.stdlib_module_names or depth == 0:
            return name
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            found = self._module(module, ".".join(parts[:end]))
            if found is not None:
                return self._member(found, parts[end:], depth)
        return name

    def _module(self, importer: ModuleFacts, name: str) -> ModuleFacts | None:
        candidates = self._by_suffix.get(name, [])
        if len(candidates) == 1:
            return candidates[0]
        beside = importer.path.rpartition("/")[0]
        near = [module for module in candidates if module.path.rpartition("/")[0] == beside]
        return near[0] if len(near) == 1 else None

    def _member(self, module: ModuleFacts, parts: list[str], depth: int) -> Definition | None:
        if not parts:
            return module
        found = self._definitions[module].get(".".join(parts))
        if found is None and parts[0] in module.imports:
            return self.dotted(module, ".".join((module.imports[parts[0]], *parts[1:])), depth - 1)
        return found


def _definitions(module: ModuleFacts) -> dict[str, ClassFacts | FunctionFacts]:
    named: dict[str, ClassFacts | FunctionFacts] = {item.qualified_name: item for item in module.functions}
    named.update((item.qualified_name, item) for item in module.classes)
    return named


def dotted_path(path: str) -> str:
    """`src/pkg/mod.py` as `src.pkg.mod`: imports name a suffix of it."""
    trimmed = path.removesuffix(".pyw").removesuffix(".py").removesuffix("/__init__")
    return trimmed.strip("/").replace("/", ".")


def absolute(module: ModuleFacts, name: str) -> str:
    """A dotted name with its leading dots resolved against the place of the module."""
    level = len(name) - len(name.lstrip("."))
    if not level:
        return name
    parts = dotted_path(module.path).split(".")
    climb = level if not module.path.endswith("__init__.py") else level - 1
    return ".".join((*parts[: len(parts) - climb], name[level:])) if climb else ".".join((*parts, name[level:]))
