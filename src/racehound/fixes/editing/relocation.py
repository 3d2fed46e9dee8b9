"""Where the places of a finding are after a part of the text was changed."""

from collections.abc import Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from racehound.model.finding import Access, Finding
from racehound.model.location import Location


def moved(finding: Finding, before: str, after: str) -> Finding | None:
    """The finding in the new text, or None if a line that it speaks of was changed."""
    if before == after:
        return finding
    old, new = before.split("\n"), after.split("\n")
    lines = _lines(old, new)
    path = finding.location.path
    places = [finding.location, finding.first.location, finding.second.location]
    if any(place.path == path and place.line not in lines for place in places):
        return None

    def at(place: Location) -> Location:
        return _moved(place, lines, old, new) if place.path == path and place.line in lines else place

    def access(item: Access) -> Access:
        return replace(item, location=at(item.location))

    return replace(
        finding,
        location=at(finding.location),
        first=access(finding.first),
        second=access(finding.second),
        further=tuple(map(access, finding.further)),
    )


def _lines(old: list[str], new: list[str]) -> dict[int, int]:
    """The number of each line that is as it was, but for how far it is indented."""
    blocks = SequenceMatcher(
        None, [line.strip() for line in old], [line.strip() for line in new], autojunk=False
    ).get_matching_blocks()
    return {block.a + step + 1: block.b + step + 1 for block in blocks for step in range(block.size)}


def _moved(place: Location, lines: Mapping[int, int], old: list[str], new: list[str]) -> Location:
    line = lines[place.line]
    last = lines.get(place.end_line, line + place.end_line - place.line)
    return replace(
        place,
        line=line,
        column=place.column + _shift(old, place.line, new, line),
        end_line=last,
        end_column=place.end_column + _shift(old, place.end_line, new, last),
    )


def _shift(old: list[str], before: int, new: list[str], after: int) -> int:
    """How much further to the right a line begins."""
    if not (0 < before <= len(old) and 0 < after <= len(new)):
        return 0
    return _indent(new[after - 1]) - _indent(old[before - 1])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
