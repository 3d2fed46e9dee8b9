"""What a hunt found out, and the same as plain data for a file."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any, NamedTuple, TypeAlias

from racehound.model.finding import Access, Confidence, Finding, Grade, Subject
from racehound.model.location import Location
from racehound.model.report import Diagnostic
from racehound.model.rule import Severity

Plain: TypeAlias = dict[str, Any]
Progress: TypeAlias = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and of how much."""


class Unread(NamedTuple):
    """A file that was not worth parsing."""

    lines: int
    bases: frozenset[str]
    """Names in the heads of its classes."""


class Result(NamedTuple):
    findings: tuple[Finding, ...]
    diagnostics: tuple[Diagnostic, ...]
    files: int
    lines: int
    unread: dict[str, Unread]
    """By path, as the file can be opened."""
    asked: frozenset[tuple[str, str]] = frozenset()
    """Modules, by the path that findings give them, and the names that others have looked for in them."""


def plain(result: Result) -> Plain:
    return {
        "findings": plain_findings(result.findings),
        "diagnostics": [asdict(diagnostic) for diagnostic in result.diagnostics],
        "files": result.files,
        "lines": result.lines,
        "unread": {path: [item.lines, sorted(item.bases)] for path, item in result.unread.items()},
    }


def result_of(data: Plain) -> Result:
    """The inverse of `plain`; data of any other form raises one of the usual errors."""
    return Result(
        findings_of(data["findings"]),
        tuple(Diagnostic(**item) for item in data["diagnostics"]),
        int(data["files"]),
        int(data["lines"]),
        {path: Unread(lines, frozenset(bases)) for path, (lines, bases) in data["unread"].items()},
    )


def plain_findings(findings: Iterable[Finding]) -> list[Plain]:
    return [asdict(finding) for finding in findings]


def findings_of(data: Iterable[Plain]) -> tuple[Finding, ...]:
    """The inverse of `plain_findings`."""
    return tuple(map(_finding, data))


def _finding(data: Plain) -> Finding:
    parts: Plain = {name: _PARTS[name](value) if name in _PARTS else value for name, value in data.items()}
    return Finding(**parts)


def _access(data: Plain) -> Access:
    return Access(**{**data, "location": Location(**data["location"]), "locks": tuple(data["locks"])})


def _subject(data: Plain) -> Subject:
    parts: Plain = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    return Subject(**parts)


_PARTS: dict[str, Callable[[Any], Any]] = {
    "location": lambda value: Location(**value),
    "severity": Severity,
    "confidence": Confidence,
    "grade": Grade,
    "first": _access,
    "second": _access,
    "subject": _subject,
    "further": lambda value: tuple(map(_access, value)),
    "parts": tuple,
}
