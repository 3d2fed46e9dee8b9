"""Which files of a tree are parsed: those with signs of concurrency, and those that these lead to."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from racehound.analysis.survey import Survey
from racehound.model.report import Diagnostic
from racehound.source.extraction import extract
from racehound.source.facts import ModuleFacts
from racehound.source.module import SourceModule, display_path
from racehound.source.prefilter import base_names, is_worth_parsing

EVERYTHING = 200
"""Up to this many files all are parsed: then each file that is not Python gets its line."""

_ROUNDS = 8
"""How often what was read may lead to more."""

_RECURSION_LIMIT = 10_000
"""Enough for every tree that the parser itself accepts."""


class Reading(NamedTuple):
    survey: Survey
    diagnostics: list[Diagnostic]
    lines: int


class Unread(NamedTuple):
    """A file that was left out for now."""

    lines: int
    bases: frozenset[str]
    """Names in the heads of its classes."""


def read(files: Sequence[Path]) -> Reading:
    return _Reader(files).read()


class _Reader:
    def __init__(self, files: Sequence[Path]) -> None:
        self._files = {display_path(file): file for file in files}
        self._unread: dict[str, Unread] = {}
        self._modules: list[ModuleFacts] = []
        self._diagnostics: list[Diagnostic] = []
        self._lines = 0

    def read(self) -> Reading:
        is_small = len(self._files) <= EVERYTHING
        for name in self._files:
            self._take(name, is_wanted=is_small)
        survey = Survey(self._modules, self._unread)
        for _ in range(_ROUNDS if self._unread else 0):
            wanted = self._wanted(survey)
            if not wanted:
                break
            for name in wanted:
                self._lines -= self._unread.pop(name).lines
                self._take(name, is_wanted=True)
            survey = Survey(self._modules, self._unread)
        return Reading(survey, self._diagnostics, self._lines)

    def _take(self, name: str, *, is_wanted: bool) -> None:
        result = read_file(self._files[name], name, is_wanted=is_wanted)
        if isinstance(result, Unread):
            self._unread[name] = result
            self._lines += result.lines
        elif isinstance(result, Diagnostic):
            self._diagnostics.append(result)
        else:
            self._modules.append(result)
            self._lines += result.text.count("\n")

    def _wanted(self, survey: Survey) -> list[str]:
        """Files left out so far that those read lead to, and those with a class that derives from a shared one."""
        shared = survey.shared_names()
        derived = (name for name, unread in self._unread.items() if not shared.isdisjoint(unread.bases))
        return sorted({*survey.missed(), *derived})


def read_file(file: Path, name: str, *, is_wanted: bool) -> ModuleFacts | Unread | Diagnostic:
    try:
        data = file.read_bytes()
    except OSError as error:
        return Diagnostic(path=name, message=f"cannot be read: {error.strerror or error}")
    if not is_wanted and not is_worth_parsing(data):
        return Unread(data.count(b"\n"), base_names(data))
    source = SourceModule.from_bytes(data, name)
    return facts_of(source) if isinstance(source, SourceModule) else source


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
