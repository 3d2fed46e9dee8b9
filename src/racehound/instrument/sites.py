"""Where in the source an operation stands.

Instrumented code names its places by number. The table is filled while code is rewritten and only read
afterwards; the same source gives the same line, column and ordinal on every version of Python.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Site:
    path: str
    line: int
    column: int
    text: str
    """The expression as the source says it, such as `self._failures`."""


class SiteTable:
    def __init__(self) -> None:
        self._sites = [Site("", 0, 0, "")]

    def add(self, site: Site) -> int:
        self._sites.append(site)
        return len(self._sites) - 1

    def __getitem__(self, number: int) -> Site:
        return self._sites[number]


SITES = SiteTable()
"""Instrumented code carries bare numbers, so the table they index is a process-wide fact."""
