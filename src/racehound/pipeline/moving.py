"""Findings about a file in which lines have moved: the same findings, at the places where the lines are now."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from racehound.model.finding import Access, Finding
from racehound.model.location import Location
from racehound.source.events import Span

_BARE = re.compile(r"\bline (\d+)")
_NAMELESS = "<lambda:"


class Lost(Exception):
    """Where something stands now cannot be told."""


class Moves:
    """What has become of the lines of one file."""

    def __init__(self, path: str, before: str, after: str, spans: Iterable[tuple[Span, Span]]) -> None:
        self._path = path
        self._before = before.split("\n")
        self._after = after.split("\n")
        self._points: dict[tuple[int, int], tuple[int, int]] = {}
        for old, new in spans:
            self._points[old[:2]], self._points[old[2:]] = new[:2], new[2:]
        self._lines = {old[0]: new[0] for old, new in self._points.items()}
        self._named = re.compile(rf"(?<![\w./-]){re.escape(path)}:(\d+)")
        self._is_ambiguous = _BARE.search(before) is not None

    def all(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """The findings in their order; raises Lost where one of them would not be told in the same way."""
        moved = tuple(map(self.finding, findings))
        if moved != tuple(findings):
            places = [(finding.location, finding.rule) for finding in findings]
            if len(set(places)) != len(places):
                raise Lost  # their order hangs on their wording
        return moved

    def finding(self, finding: Finding) -> Finding:
        accesses = (finding.first, finding.second, *finding.further)
        paths = {finding.location.path, *(access.location.path for access in accesses)}
        say = self._wording(paths)
        first, second, *further = (self._access(access, say) for access in accesses)
        return replace(
            finding,
            location=self._location(finding.location),
            message=say(finding.message),
            trigger=say(finding.trigger),
            impact=say(finding.impact),
            evidence=self._evidence(finding.evidence, say(finding.evidence)),
            first=first,
            second=second,
            further=tuple(further),
        )

    def _wording(self, paths: set[str]) -> Callable[[str], str]:
        def say(text: str) -> str:
            text = self._named.sub(self._renumber, text)
            if self._path not in paths:
                return text
            moved = _BARE.sub(self._renumber, text)
            if moved != text and (self._is_ambiguous or paths != {self._path}):
                raise Lost
            return moved

        return say

    def _evidence(self, before: str, after: str) -> str:
        """Rows of source, each with its line; raises Lost where one of them is of another file."""
        for row in before.split("\n") if after != before else ():
            text, _, number = row.rpartition("  # line ")
            if number.isdecimal() and self._before[int(number) - 1].strip() != text:
                raise Lost
        return after

    def _renumber(self, match: "re.Match[str]") -> str:
        whole, number = match[0], match[1]
        return f"{whole[: -len(number)]}{self._line(int(number))}"

    def _access(self, access: Access, say: Callable[[str], str]) -> Access:
        location = self._location(access.location)
        if location != access.location and _NAMELESS in access.function:
            raise Lost  # it is called by its place
        return replace(access, location=location, context=say(access.context), target=say(access.target))

    def _location(self, place: Location) -> Location:
        if place.path != self._path:
            return place
        self._line(place.line)
        (line, column), (end_line, end_column) = (
            self._point(place.line, place.column),
            self._point(place.end_line, place.end_column),
        )
        return replace(place, line=line, column=column, end_line=end_line, end_column=end_column)

    def _point(self, line: int, column: int) -> tuple[int, int]:
        """Locations count columns from 1."""
        if (line, column - 1) in self._points:
            line, column = self._points[line, column - 1]
            return line, column + 1
        if self._lines.get(line) != line:
            raise Lost
        return line, column

    def _line(self, number: int) -> int:
        """The new number of a line that says what it said."""
        found = self._lines.get(number)
        if found is None or self._before[number - 1] != self._after[found - 1]:
            raise Lost
        return found
