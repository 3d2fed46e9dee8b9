"""Which files of a large tree are parsed: those with signs of concurrency, and those that threads come to."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from racehound.analysis.names import absolute, dotted_path
from racehound.model.report import Diagnostic
from racehound.source.facts import ModuleFacts
from racehound.source.module import SourceModule, display_path
from racehound.source.prefilter import is_worth_parsing, starts_threads

EVERYTHING = 200
"""Up to this many files all are parsed: then each file that is not Python gets its line."""

_ROUNDS = 2
"""Imports of imports that are followed from a file that starts threads."""


class Choice:
    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._left_out: dict[Path, int] = {}
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
            wanted = sorted({path for module in self._sources for path in self._imported(module)})
            self._sources = []
            for path in wanted:
                del self._left_out[path]
                yield SourceModule.from_path(path)

    def saw(self, module: ModuleFacts) -> None:
        """A module whose imports may matter: it starts threads, or was asked for by one that does."""
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

    def _index(self) -> None:
        for file in self._left_out:
            parts = dotted_path(display_path(file)).split(".")
            for start in range(len(parts)):
                self._by_name.setdefault(".".join(parts[start:]), []).append(file)

    def _imported(self, module: ModuleFacts) -> Iterator[Path]:
        """Files left out so far that an import names; a name that fits several is left alone, as in resolving."""
        for imported in module.imports.values():
            name = absolute(module, imported)
            for candidate in (name, name.rpartition(".")[0]):
                found = [path for path in self._by_name.get(candidate, ()) if path in self._left_out]
                if len(found) == 1:
                    yield found[0]
