"""A function that a framework or a server calls: the places where nobody writes `Thread`."""

from collections.abc import Iterable
from typing import NamedTuple

from racehound.source.events import SELF
from racehound.source.facts import FunctionFacts, ModuleFacts

REQUEST = "a request thread"


class Entry(NamedTuple):
    function: FunctionFacts
    what: str
    is_self_shared: bool
    """The object that it runs on is the same in all threads."""
    many: bool = True
    """Several of them run at once."""
    given: tuple[FunctionFacts, int] | None = None
    """Where it is given to the one that calls it: that code goes on meanwhile."""
    common: frozenset[str] = frozenset()
    """What all threads have in common of an object that each has for itself: `self.server` of a handler."""
    is_rare: bool = False
    """It runs beside others only as the program is configured, or in moments that hardly ever come."""

    @property
    def shared(self) -> frozenset[str]:
        return self.common | {SELF} if self.is_self_shared else self.common


def imports_any(module: ModuleFacts, packages: Iterable[str]) -> bool:
    """True if the module imports one of the packages, or something out of one."""
    return not frozenset(packages).isdisjoint(name.partition(".")[0] for name in module.imports.values())
