"""Parts of a program that have nothing to do with each other: no module of one can name anything in another.

What is concluded about one of them hangs on its modules alone, and stands while these are as they were.
"""

import sys
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from racehound.analysis.names import Names, absolute, directory_of
from racehound.source.facts import ModuleFacts

ENOUGH = 20_000
"""Events from which on an island is worth the work of looking at it alone; smaller ones go together."""


def islands(modules: Sequence[ModuleFacts], names: Names) -> list[tuple[ModuleFacts, ...]]:
    """All modules, each in one of the parts, in their order."""
    joined = _Joined(names)
    for module in modules:
        joined.join_imported(module)
    parts: dict[ModuleFacts, list[ModuleFacts]] = {}
    for module in modules:
        parts.setdefault(joined.head(module), []).append(module)
    return list(_bundled(list(parts.values())))


def _bundled(parts: list[list[ModuleFacts]]) -> Iterator[tuple[ModuleFacts, ...]]:
    small: list[ModuleFacts] = []
    events = 0
    for part in parts:
        small += part
        events += sum(module.measure.events for module in part)
        if events >= ENOUGH:
            yield tuple(sorted(small, key=lambda module: module.path))
            small, events = [], 0
    if small:
        yield tuple(sorted(small, key=lambda module: module.path))


class _Joined:
    """Modules by the part that they belong to, as far as that is known."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._dotted = sorted(names.dotted_names())
        self._beginnings = _beginnings(self._dotted)
        self._heads: dict[ModuleFacts, ModuleFacts] = {}
        self._found: dict[str, ModuleFacts | None] = {}
        """By dotted name, one of the modules that are there or below."""
        self._named: dict[str, ModuleFacts | None] = {}
        """The same for those above as well."""

    def head(self, module: ModuleFacts) -> ModuleFacts:
        while (above := self._heads.get(module, module)) is not module:
            self._heads[module] = self._heads.get(above, above)
            module = above
        return module

    def join_imported(self, module: ModuleFacts) -> None:
        """Joins it with all in which something may be looked for by its imports, whatever attributes follow.

        Most imports are of what the program does not have: that is seen from the first part of their names.
        """
        beside = directory_of(module.path).strip("/").replace("/", ".")
        names = names_imported(module)
        known = {name for name in names if name.partition(".")[0] in self._beginnings}
        if beside:
            inside = {f"{beside}.{name}" for name in names if self._is_begun(beside, name)}
            known |= inside if len(inside) == len(names) else {*inside, f"{beside}."}
        for found in set(map(self._meant, known)):
            self._join(module, found)

    def _is_begun(self, beside: str, name: str) -> bool:
        return f"{beside}.{name.partition('.')[0]}" in self._beginnings

    def _meant(self, name: str) -> ModuleFacts | None:
        """One of the modules below a name or above it; they belong together, since somebody names them so."""
        if name not in self._named:
            some = self._below(name)
            parts = name.split(".")
            for end in range(len(parts) - 1, 0, -1):
                for found in self._names.modules_named(".".join(parts[:end])):
                    self._join(found, some)
                    some = found
            self._named[name] = some
        return self._named[name]

    def _below(self, name: str) -> ModuleFacts | None:
        if name not in self._found:
            self._found[name] = None
            for dotted in self._at_or_below(name):
                for found in self._names.modules_named(dotted):
                    self._join(found, self._found[name])
                    self._found[name] = found
        return self._found[name]

    def _at_or_below(self, name: str) -> Iterator[str]:
        yield name
        for at in range(bisect_left(self._dotted, f"{name}."), len(self._dotted)):
            if not self._dotted[at].startswith(f"{name}."):
                break
            yield self._dotted[at]

    def _join(self, one: ModuleFacts, other: ModuleFacts | None) -> None:
        if other is not None:
            self._heads[self.head(one)] = self.head(other)


def _beginnings(names: Iterable[str]) -> set[str]:
    """All names, and what is above them, whether or not there is a module."""
    found: set[str] = set()
    for name in names:
        above = name
        while above and above not in found:
            found.add(above)
            above = above.rpartition(".")[0]
    return found


def names_imported(module: ModuleFacts) -> frozenset[str]:
    """Dotted names of its imports, but for those of the standard library."""
    names = {absolute(module, origin) for origin in set(module.imports.values())}
    return frozenset(name for name in names if name.partition(".")[0] not in sys.stdlib_module_names)
