"""Which files of a large tree are parsed: those with signs of concurrency, and those that threads come to."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from racehound.analysis.names import absolute, dotted_path
from racehound.model.report import Diagnostic
from racehound.source.events import Touch
from racehound.source.facts import ModuleFacts
from racehound.source.module import SourceModule, display_path
from racehound.source.prefilter import base_names, is_worth_parsing, starts_threads

EVERYTHING = 200
"""Up to this many files all are parsed: then each file that is not Python gets its line."""

_ROUNDS = 2
"""Imports of imports that are followed from a file that starts threads."""

_LOCKS = frozenset({"Lock", "RLock", "Condition"})


class Choice:
    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._left_out: dict[Path, int] = {}
        self._bases: dict[Path, frozenset[str]] = {}
        self._locking: set[str] = set()
        self._sources: list[ModuleFacts] = []
        self._by_name: dict[str, list[Path]] = {}

    @property
    def left_out_lines(self) -> int:
        return sum(self._left_out.values())

    def sources(self) -> Iterator[SourceModule | Diagnostic]:
        """Parsed modules; `saw` must be told what was found in each before the next is asked for."""
        if len(self._files) <= EVERYTHING:
            yield from map(SourceModule.from_path, self._files)
            return
        yield from self._worthy()
        self._index()
        for _ in range(_ROUNDS):
            wanted = sorted({*self._derived(), *(path for item in self._sources for path in self._imported(item))})
            self._sources = []
            for path in wanted:
                del self._left_out[path]
                yield SourceModule.from_path(path)

    def saw(self, module: ModuleFacts) -> None:
        """A module whose imports may matter: it starts threads, or was asked for by one that does."""
        if "Lock(" in module.text or "Condition(" in module.text:
            self._locking.update(_with_lock(module))
        if self._by_name or starts_threads(module.text.encode("utf-8", "surrogatepass")):
            self._sources.append(module)

    def _worthy(self) -> Iterator[SourceModule | Diagnostic]:
        for file in self._files:
            name = display_path(file)
            try:
                data = file.read_bytes()
            except OSError as error:
                yield Diagnostic(path=name, message=f"cannot be read: {error.strerror or error}")
                continue
            if is_worth_parsing(data):
                yield SourceModule.from_bytes(data, name)
            else:
                self._left_out[file] = data.count(b"\n")
                self._bases[file] = base_names(data)

    def _index(self) -> None:
        for file in self._left_out:
            parts = dotted_path(display_path(file)).split(".")
            for start in range(len(parts)):
                self._by_name.setdefault(".".join(parts[start:]), []).append(file)

    def _derived(self) -> Iterator[Path]:
        """Files left out so far with a class that derives from one that may have a lock."""
        for path in self._left_out:
            if not self._locking.isdisjoint(self._bases[path]):
                yield path

    def _imported(self, module: ModuleFacts) -> Iterator[Path]:
        """Files left out so far that an import names; a name that fits several is left alone, as in resolving."""
        for imported in module.imports.values():
            name = absolute(module, imported)
            for candidate in (name, name.rpartition(".")[0]):
                found = [path for path in self._by_name.get(candidate, ()) if path in self._left_out]
                if len(found) == 1:
                    yield found[0]


def _with_lock(module: ModuleFacts) -> Iterator[str]:
    """Classes that make a lock, in their body or in a method."""
    for item in module.classes:
        if any(value.name in _LOCKS for values in item.attributes.values() for value in values):
            yield item.name
    for function in module.functions:
        touches = (event for event in function.events if isinstance(event, Touch))
        makes = any(value.name in _LOCKS for touch in touches for value in touch.values)
        if makes and function.owner is not None:
            yield function.owner.name
