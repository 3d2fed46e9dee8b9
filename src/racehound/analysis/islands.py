"""Parts of a program that have nothing to do with each other: no module of one can name anything in another.

What is concluded about one of them hangs on its modules alone, and stands while these are as they were.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence

from racehound.analysis.meaning.names import Names, absolute, directory_of, dotted_path
from racehound.source.facts import ModuleFacts

ENOUGH = 20_000
"""Events from which on an island is worth the work of looking at it alone; smaller ones go together."""


class Routes:
    """Where imports can lead among the files of a tree: the same, however many of these are read."""

    def __init__(self, dotted_names: Iterable[str]) -> None:
        self._below = _below(dotted_names)
        self._taken: dict[ModuleFacts, frozenset[str]] = {}

    def below(self, name: str) -> Sequence[str]:
        """Dotted names with one part more."""
        return self._below.get(name, ())

    def taken_by(self, module: ModuleFacts) -> frozenset[str]:
        """Dotted names among which something may be looked for by its imports, whatever attributes follow.

        Most imports are of what the program does not have: that is seen from the first part of their names.
        """
        if module not in self._taken:
            self._taken[module] = frozenset(map(self._known_part, self._begun(module)))
        return self._taken[module]

    def _begun(self, module: ModuleFacts) -> set[str]:
        beside = dotted_path(directory_of(module.path))
        names = names_imported(module)
        known = {name for name in names if name.partition(".")[0] in self._below}
        if beside:
            inside = {f"{beside}.{name}" for name in names if self._is_begun(beside, name)}
            known |= inside if len(inside) == len(names) else {*inside, f"{beside}."}
        return known

    def _known_part(self, name: str) -> str:
        """What is named in a module leads to the same modules, whatever it is: `package.module.`."""
        above = name
        while above and above not in self._below:
            above = above.rpartition(".")[0]
        return name if above == name else f"{above}."

    def _is_begun(self, beside: str, name: str) -> bool:
        return f"{beside}.{name.partition('.')[0]}" in self._below


def islands(
    modules: Sequence[ModuleFacts], names: Names, routes: Routes | None = None
) -> list[tuple[ModuleFacts, ...]]:
    """All modules, each in one of the parts, in their order."""
    joined = _Joined(names, routes or Routes(names.dotted_names()))
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

    def __init__(self, names: Names, routes: Routes) -> None:
        self._names = names
        self._routes = routes
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
        """Joins it with all that its imports can lead to."""
        for found in set(map(self._meant, self._routes.taken_by(module))):
            self._join(module, found)

    def _meant(self, name: str) -> ModuleFacts | None:
        """One of the modules below a name or above it; they belong together, since somebody names them so."""
        if name not in self._named:
            some = self._below(name)
            parts = name.split(".")
            for end in range(len(parts) - 1, 0, -1):
                some = self._joined(".".join(parts[:end]), some)
            self._named[name] = some
        return self._named[name]

    def _below(self, name: str) -> ModuleFacts | None:
        if name not in self._found:
            some = self._joined(name, None)
            for inner in self._routes.below(name):
                found = self._below(inner)
                if found is not None:
                    self._join(found, some)
                    some = found
            self._found[name] = some
        return self._found[name]

    def _joined(self, name: str, some: ModuleFacts | None) -> ModuleFacts | None:
        """The modules of this very name joined with another, and one of them all."""
        for found in self._names.modules_named(name):
            self._join(found, some)
            some = found
        return some

    def _join(self, one: ModuleFacts, other: ModuleFacts | None) -> None:
        if other is not None:
            self._heads[self.head(one)] = self.head(other)


def _below(names: Iterable[str]) -> dict[str, list[str]]:
    """All names, and what is above them, whether or not there is a module; with what follows right below."""
    found: dict[str, list[str]] = {}
    for name in names:
        above, inner = name, ""
        while above:
            is_known = above in found
            found.setdefault(above, []).extend((inner,) if inner else ())
            if is_known:
                break
            above, inner = above.rpartition(".")[0], above
    return found


def names_imported(module: ModuleFacts) -> frozenset[str]:
    """Dotted names of its imports, but for those of the standard library."""
    names = {absolute(module, origin) for origin in set(module.imports.values())}
    return frozenset(name for name in names if name.partition(".")[0] not in sys.stdlib_module_names)
