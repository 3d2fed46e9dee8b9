"""Rules that a project does not want in some of its files."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from racehound.model.finding import Finding
from racehound.source.globs import spelled_out
from racehound.source.ignorefile import IgnoreFile

Ignores = Sequence[tuple[str, tuple[str, ...]]]
"""Patterns, each with what selects rules; one that begins with `!` means the files that do not fit it."""


def without_ignored(findings: Iterable[Finding], ignores: Ignores, *, root: str) -> tuple[Finding, ...]:
    """Patterns with a slash are relative to `root`, the others fit names of files and directories anywhere."""
    top = str(Path(root or ".").resolve())
    wanted = [_Wanted(pattern, codes, top) for pattern, codes in ignores]
    return tuple(item for item in findings if not any(entry.covers(item) for entry in wanted))


class _Wanted:
    def __init__(self, pattern: str, codes: tuple[str, ...], root: str) -> None:
        from racehound.rules.selection import rules_of  # noqa: PLC0415 - without patterns no rules are loaded

        self._negated = pattern.startswith("!")
        self._root = root
        self._rules = IgnoreFile(root, spelled_out(pattern.removeprefix("!"), root))
        self._codes = frozenset(rule.meta.code for code in codes for rule in rules_of(code))

    def covers(self, finding: Finding) -> bool:
        return finding.rule in self._codes and self._fits(finding.location.path) is not self._negated

    def _fits(self, path: str) -> bool:
        file = Path(path).resolve()
        steps = _below(file, self._root)
        return any(
            self._rules.excludes(step.as_posix(), step.name, is_directory=step != file) is True for step in steps
        )


def _below(file: Path, root: str) -> Iterator[Path]:
    """The file and the directories around it, as far as the root."""
    yield file
    if file.is_relative_to(root):
        yield from (parent for parent in file.parents if parent != Path(root) and parent.is_relative_to(root))
