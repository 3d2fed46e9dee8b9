"""What a dotted name means: a definition of the analysed program, or something outside it."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

from racehound.source.events import Place
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts

Definition: TypeAlias = ClassFacts | FunctionFacts | ModuleFacts | str
"""A string is the dotted name of something outside the program."""

Read: TypeAlias = Callable[[str], ModuleFacts | None]
"""Reads a file by its path; None where that cannot be done, or was done before."""

_Index: TypeAlias = dict[str, list[ModuleFacts | str]]
_REEXPORTS = 4
"""How many imports of imports are followed."""


class Names:
    """Finds modules by dotted name and definitions in them; `unread` are files that exist and were not read.

    `known` is what was found out before some of the modules were read.
    """

    def __init__(
        self, modules: Iterable[ModuleFacts], unread: Iterable[str] = (), known: "Known | None" = None
    ) -> None:
        self._by_suffix: _Index = {} if known is None or known.places is None else known.places
        self._modules: set[ModuleFacts] = set()
        self._known: dict[ModuleFacts, Answers] = {}
        if known is not None:
            self._modules.update(known.modules)
            self._known.update((module, dict(answers)) for module, answers in known.answers.items())
        self.missed: set[str] = set()
        """Unread files in which something was looked for."""
        self._read: Read | None = None
        self._joined: dict[str, ModuleFacts] = {}
        """Files that were read as soon as something was looked for in them."""
        self.asked: set[tuple[str, str]] = set()
        """Paths of modules, and the names that were looked for in them by way of an import."""
        entries: list[ModuleFacts | str] = [*modules, *unread]
        packages = frozenset(directory_of(path) for path in map(_path, entries) if path.endswith("__init__.py"))
        for entry in entries:
            self._index(entry, packages)
            if not isinstance(entry, str):
                self._modules.add(entry)

    def heed(self, read: Read | None) -> None:
        """From here on it matters in which files something is looked for; `read` reads them on the spot."""
        self.missed.clear()
        self._read = read

    @contextmanager
    def reading_nothing(self) -> Iterator[None]:
        """What is looked for in unread files meanwhile does not matter."""
        read, missed = self._read, self.missed
        self._read, self.missed = None, set()
        yield
        self._read, self.missed = read, missed

    def known(self) -> "Known":
        return Known(self._modules, self.certain())

    def certain(self) -> "dict[ModuleFacts, Answers]":
        """Answers that stay as they are when more files are read, by the module that asked."""
        return {
            module: {name: answer for name, answer in answers.items() if answer.missed is None}
            for module, answers in self._known.items()
        }

    def part(
        self, modules: Iterable[ModuleFacts], certain: "Mapping[ModuleFacts, Answers] | None" = None
    ) -> "Names":
        """The same names for a part of the modules: the others are files that were not read."""
        own = set(modules)
        answers = {module: certain[module] for module in own if module in certain} if certain else {}
        return Names((), (), Known(own, answers, self._by_suffix))

    def paths(self) -> set[str]:
        """Of all files, read or not."""
        return {_path(entry) for entries in self._by_suffix.values() for entry in entries}

    def dotted_names(self) -> Iterable[str]:
        """All by which an import can name a module."""
        return self._by_suffix.keys()

    def modules_named(self, dotted: str) -> Iterator[ModuleFacts]:
        """Modules that an import of this name can mean."""
        return (entry for entry in self._by_suffix.get(dotted, ()) if not isinstance(entry, str))

    def _index(self, entry: ModuleFacts | str, packages: frozenset[str]) -> None:
        """By all names that an import may give it: each begins with the outermost package, or above it."""
        path = _path(entry)
        parts = dotted_path(path).split(".")
        directory, inside = directory_of(path), len(parts) - (not path.endswith("__init__.py"))
        while directory in packages and inside > 0:
            directory, inside = directory_of(directory), inside - 1
        for start in range(min(inside, len(parts) - 1) + 1):
            self._by_suffix.setdefault(".".join(parts[start:]), []).append(entry)

    def local(self, module: ModuleFacts, name: str) -> ClassFacts | FunctionFacts | None:
        """A class or function by its qualified name within a module."""
        return module.definitions.get(name)

    def resolve(self, module: ModuleFacts, place: Place) -> Definition | None:
        """What a place means at module level; None for a variable and for what cannot be known."""
        root, attributes = place
        if root in module.imports:
            return self.dotted(module, ".".join((module.imports[root], *attributes)))
        if root in module.variables:
            return None
        definitions = module.definitions
        name = ".".join((root, *attributes)) if attributes else root
        found = definitions.get(name)
        return name if found is None and root not in definitions else found

    def dotted(self, module: ModuleFacts, name: str) -> Definition | None:
        answers = self._known.get(module)
        if answers is None:
            answers = self._known[module] = {}
        answer = answers.get(name)
        if answer is None or (answer.missed is not None and self._read is not None):
            answer = answers[name] = self._find(module, name, _REEXPORTS)
        if answer.missed is not None:
            self.missed.add(answer.missed)
        return answer.found

    def _find(self, module: ModuleFacts, name: str, depth: int) -> "_Answer":
        name = absolute(module, name)
        if name.partition(".")[0] in sys.stdlib_module_names or depth == 0:
            return _Answer(name)
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            found = self._module(module, ".".join(parts[:end]))
            if isinstance(found, str):
                return _Answer(name if parts[-1][:1].isupper() else None, found)
            if found is not None:
                return self._member(found, parts[end:], depth)
        return _Answer(name)

    def variable(self, module: ModuleFacts, place: Place) -> "Variable | None":
        """The variable of another module that a place begins with, where it was imported or its module was."""
        origin = module.imports.get(place.root)
        if origin is None:
            return None
        return self._variable(module, [*absolute(module, origin).split("."), *place.attributes], _REEXPORTS)

    def _variable(self, module: ModuleFacts, parts: list[str], depth: int) -> "Variable | None":
        if parts[0] in sys.stdlib_module_names or depth == 0:
            return None
        for end in range(len(parts) - 1, 0, -1):
            found = self._module(module, ".".join(parts[:end]))
            if isinstance(found, str):
                self.missed.add(found)
                return None
            if found is not None:
                return self._kept(found, parts[end], parts[end + 1 :], depth)
        return None

    def _kept(self, module: ModuleFacts, name: str, rest: list[str], depth: int) -> "Variable | None":
        self.asked.add((module.path, name))
        if name in module.variables:
            return Variable(module, name, tuple(rest))
        origin = module.imports.get(name)
        if origin is None:
            return None
        return self._variable(module, [*absolute(module, origin).split("."), *rest], depth - 1)

    def _module(self, importer: ModuleFacts, name: str) -> ModuleFacts | str | None:
        beside = directory_of(importer.path)
        neighbour = f"{beside.strip('/').replace('/', '.')}.{name}" if beside else name
        candidates = self._by_suffix.get(neighbour) or self._by_suffix.get(name) or []
        if len(candidates) > 1:
            candidates = [entry for entry in candidates if directory_of(_path(entry)) == beside]
        if len(candidates) != 1:
            return None
        found = candidates[0]
        return found if found in self._modules else self._at(_path(found))

    def _at(self, path: str) -> ModuleFacts | str:
        read, self._read = self._read, None  # what it imports itself, nobody has asked for yet
        if path not in self._joined and read is not None:
            missed, self.missed = self.missed, set()
            found = read(path)
            self.missed = missed
            if found is not None:
                self._joined[path] = found
        self._read = read
        return self._joined.get(path, path)

    def _member(self, module: ModuleFacts, parts: list[str], depth: int) -> "_Answer":
        if not parts:
            return _Answer(module)
        self.asked.add((module.path, parts[0]))
        found = module.definitions.get(".".join(parts))
        if found is None and parts[0] in module.imports:
            return self._find(module, ".".join((module.imports[parts[0]], *parts[1:])), depth - 1)
        return _Answer(found)


class Variable(NamedTuple):
    """A name that a module gives a value, and the attributes that are asked of it."""

    module: ModuleFacts
    name: str
    attributes: tuple[str, ...]


class _Answer(NamedTuple):
    found: Definition | None
    missed: str | None = None
    """The unread file that would have known more; what is named like a class there counts as one from outside."""


Answers: TypeAlias = dict[str, _Answer]
"""By dotted name."""


class Known(NamedTuple):
    """What stays as it is when more of the files are read."""

    modules: AbstractSet[ModuleFacts]
    answers: Mapping[ModuleFacts, Answers]
    places: "_Index | None" = None
    """Where to find modules, where that is the same as well."""


def _path(entry: ModuleFacts | str) -> str:
    return entry if isinstance(entry, str) else entry.path


def directory_of(path: str) -> str:
    return path.rpartition("/")[0]


def dotted_path(path: str) -> str:
    """`src/pkg/mod.py` as `src.pkg.mod`, `../pkg/mod.py` as `pkg.mod`: imports name a suffix of it.

    A name that began with dots would be taken for a relative one.
    """
    trimmed = path.removesuffix(".pyw").removesuffix(".py").removesuffix("/__init__")
    return ".".join(part for part in trimmed.split("/") if part not in {"", ".", ".."})


def absolute(module: ModuleFacts, name: str) -> str:
    """A dotted name with its leading dots resolved against the place of the module."""
    level = len(name) - len(name.lstrip("."))
    if not level:
        return name
    parts = dotted_path(module.path).split(".")
    climb = level if not module.path.endswith("__init__.py") else level - 1
    return ".".join((*parts[: len(parts) - climb], name[level:])) if climb else ".".join((*parts, name[level:]))
