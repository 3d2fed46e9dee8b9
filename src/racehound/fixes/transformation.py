"""What every transformation is: the rules whose findings it cures, and the change that it makes."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from racehound.model.finding import Finding


class CannotChange(Exception):
    """No patch of this kind is right here; the message says why."""


@dataclass(frozen=True, slots=True)
class Change:
    """The text as it should be, in words what was done to it, and what a reader should know before taking it."""

    after: str
    summary: str
    dangers: tuple[str, ...] = ()
    """Each makes the patch unsafe."""
    remarks: tuple[str, ...] = ()


class Transformation(ABC):
    """One way to repair code; it knows nothing of how the fault was found but what the finding says."""

    rules: ClassVar[frozenset[str]]
    """The codes of the rules whose findings it may cure."""
    wants_lock: bool = False
    """True where the state may need a lock as well: that is tried where this change alone is not proven."""
    or_lock: bool = False
    """True where a lock for the state does as well: it is tried where this cannot be done, or is not proven."""
    is_of_one_task: bool = False
    """True where the fault needs no second task of the program: no search over its interleavings speaks of it."""

    def takes(self, finding: Finding) -> bool:
        """Whether it may cure this one, of those of its rules."""
        return finding.rule in self.rules

    @property
    def name(self) -> str:
        return type(self).__name__

    @abstractmethod
    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        """The text without the fault, or `CannotChange`."""

    def together(self, finding: Finding) -> Hashable:
        """Findings for which this is the same are cured by one patch."""
        return finding.location, finding.rule
