"""Which files of a tree are parsed: those with signs of concurrency, and those that these lead to."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from racehound.analysis.meaning.names import Names
from racehound.analysis.survey import Leads, Remembering
from racehound.model.report import Diagnostic
from racehound.pipeline.parallel import in_order
from racehound.pipeline.results import Progress, Unread
from racehound.source.damage import is_accepted
from racehound.source.extraction import extract
from racehound.source.facts import ModuleFacts
from racehound.source.module import SourceModule, display_path
from racehound.source.prefilter import base_names, is_worth_parsing

EVERYTHING = 200
"""Up to this many files all are parsed."""

_ROUNDS = 8
"""How often what was read may lead to more."""

_RECURSION_LIMIT = 10_000
"""Enough for every tree that the parser itself accepts."""


class Reading(NamedTuple):
    modules: tuple[ModuleFacts, ...]
    """In the order of their paths."""
    names: Names
    diagnostics: list[Diagnostic]
    lines: int
    unread: dict[str, Unread]
    """By path, as the file can be opened."""
    leads: Leads
    """What they led to."""
    led_to: dict[str, Unread]
    """Files that were parsed because others led to them, by path, and what they would be otherwise."""


class Recalling(Protocol):
    """Knows files from an earlier hunt."""

    def recall(self, path: Path, name: str, /, *, is_wanted: bool) -> ModuleFacts | Unread | None: ...


def read(
    files: Sequence[Path],
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    known: Recalling | None = None,
    leads: Remembering | None = None,
) -> Reading:
    """`known` are facts and `leads` are leads of an earlier hunt."""
    return _Reader(files, jobs, progress or (lambda *_: None), known).read(leads)


class _Reader:
    def __init__(self, files: Sequence[Path], jobs: int, progress: Progress, known: Recalling | None) -> None:
        self._files = {display_path(file): file for file in files}
        self._jobs = jobs
        self._progress = progress
        self._known = known
        self._led_to: dict[str, Unread] = {}
        self._unread: dict[str, Unread] = {}
        self._followed: dict[str, ModuleFacts | Unread | Diagnostic] = {}
        """Files that were read on the spot, before it was their turn."""
        self._modules: list[ModuleFacts] = []
        self._diagnostics: list[Diagnostic] = []
        self._lines = 0

    def read(self, known: Remembering | None) -> Reading:
        self._take(list(self._files), is_wanted=len(self._files) <= EVERYTHING)
        names = Names(self._modules, self._unread)
        leads = Leads(sorted(names.paths()), known, self._follow)
        for _ in range(_ROUNDS if self._unread else 0):
            wanted = self._wanted(leads, names)
            if not wanted:
                break
            for name in wanted:
                left_out = self._led_to[str(self._files[name])] = self._unread.pop(name)
                self._lines -= left_out.lines
            self._take(wanted, is_wanted=True)
            names = Names(self._modules, self._unread, names.known())
        unread = {str(self._files[name]): item for name, item in self._unread.items()}
        modules = tuple(sorted(self._modules, key=lambda module: module.path))
        return Reading(modules, names, self._diagnostics, self._lines, unread, leads, self._led_to)

    def _follow(self, name: str) -> ModuleFacts | None:
        if name not in self._unread:
            return None
        if name not in self._followed:
            known = self._recalled([name], is_wanted=True)
            self._followed[name] = known.get(name) or read_file((self._files[name], name), is_wanted=True)
        found = self._followed[name]
        return found if isinstance(found, ModuleFacts) else None

    def _take(self, names: list[str], *, is_wanted: bool) -> None:
        read_all = partial(read_file, is_wanted=is_wanted)
        known = self._recalled([name for name in names if name not in self._followed], is_wanted=is_wanted)
        known.update((name, self._followed.pop(name)) for name in names if name in self._followed)
        read_now = in_order(
            read_all, [(self._files[name], name) for name in names if name not in known], self._jobs
        )
        for name in names:
            self._note(name, known[name] if name in known else next(read_now))
            self._progress("reading", len(self._modules) + len(self._unread), len(self._files))

    def _recalled(self, names: list[str], *, is_wanted: bool) -> dict[str, ModuleFacts | Unread | Diagnostic]:
        if self._known is None:
            return {}
        found = ((name, self._known.recall(self._files[name], name, is_wanted=is_wanted)) for name in names)
        return {name: item for name, item in found if item is not None}

    def _note(self, name: str, result: ModuleFacts | Unread | Diagnostic) -> None:
        if isinstance(result, Unread):
            self._unread[name] = result
            self._lines += result.lines
        elif isinstance(result, Diagnostic):
            self._diagnostics.append(result)
        else:
            self._modules.append(result)
            self._lines += result.measure.lines

    def _wanted(self, leads: Leads, names: Names) -> list[str]:
        """Files left out so far that those read lead to, and those with a class that derives from a shared one."""
        bases = frozenset[str]().union(*(unread.bases for unread in self._unread.values()))
        missed, shared = leads.of(self._modules, names, bases)
        derived = (name for name, unread in self._unread.items() if not shared.isdisjoint(unread.bases))
        return sorted({*(missed & self._unread.keys()), *derived})


def read_file(pair: tuple[Path, str], *, is_wanted: bool) -> ModuleFacts | Unread | Diagnostic:
    """A file by its path and the name that findings give it."""
    file, name = pair
    try:
        data = file.read_bytes()
    except OSError as error:
        return Diagnostic(path=name, message=f"cannot be read: {error.strerror or error}")
    if not is_wanted and not is_worth_parsing(data):
        return damage_in(data, name, file) or Unread(data.count(b"\n"), base_names(data))
    source = SourceModule.from_bytes(data, name)
    return facts_of(source) if isinstance(source, SourceModule) else source


def damage_in(data: bytes, name: str, file: Path) -> Diagnostic | None:
    """What is wrong with a file that need not be parsed, if something is."""
    if is_accepted(data, str(file)):
        return None
    parsed = SourceModule.from_bytes(data, name)
    return parsed if isinstance(parsed, Diagnostic) else None


def facts_of(module: SourceModule) -> ModuleFacts | Diagnostic:
    """What a module says, or the one line that says why that cannot be told."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))  # only here: the parser counts C frames against it
    try:
        return extract(module)
    except RecursionError:
        return Diagnostic(path=module.path, message="nested too deeply to be analysed")
    finally:
        sys.setrecursionlimit(limit)
