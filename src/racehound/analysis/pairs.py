"""The two uses of a field that can really break each other."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

from racehound.analysis.discipline import bare, has_steps, is_disturbed, is_flag, usual_lock
from racehound.analysis.fields import Use
from racehound.analysis.hierarchy import outer_method
from racehound.analysis.sharing import Shared, Sharing
from racehound.source.facts import FunctionFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    first: Use
    """The one to accuse: it holds no lock."""
    second: Use
    lock: int
    """The lock that guards the field elsewhere; 0 where nothing does."""

    @property
    def both_change(self) -> bool:
        return self.first.changes and self.second.changes


class Pairs:
    """Chooses among the uses of the fields of one class, or of one module where `sharing` is None."""

    def __init__(self, shared: Shared, sharing: Sharing | None, fields: dict[str, list[Use]]) -> None:
        self._shared = shared
        self._sharing = sharing
        self._fields = fields
        self._changed: dict[FunctionFacts, set[str]] = {}
        for name, uses in fields.items():
            for use in uses:
                if use.changes:
                    self._changed.setdefault(use.function, set()).add(name)

    def choose(self, name: str) -> Pair | None:
        uses = self._fields[name]
        changes = [use for use in uses if use.changes]
        if not changes or is_flag(changes):
            return None
        lock = usual_lock(uses)
        if lock:
            seconds = [use for use in uses if use.locks & lock]
            return self._best(uses, product(bare(uses, lock), seconds), lock)
        if self._sharing is None:
            return None
        return self._best(uses, product(uses, uses), 0)

    def _best(self, uses: list[Use], candidates: Iterable[tuple[Use, Use]], lock: int) -> Pair | None:
        best: tuple[int, Use, Use] | None = None
        for first, second in candidates:
            if not self._can_meet(first, second):
                continue
            weight = self._weight(uses, first, second)
            if (weight or lock) and (best is None or weight > best[0]):
                best = weight, first, second
        return None if best is None else Pair(first=best[1], second=best[2], lock=lock)

    def _can_meet(self, first: Use, second: Use) -> bool:
        if outer_method(first.function) is outer_method(second.function) or not (first.changes or second.changes):
            return False
        return self._sharing is None or self._shared.may_overlap(self._sharing, first.function, second.function)

    def _weight(self, uses: list[Use], first: Use, second: Use) -> int:
        """Higher is worse; 0 where each of the two is a single step that leaves nothing half done."""
        steps = has_steps(first, uses)
        if first.changes and second.changes:
            if steps:
                return 6 if has_steps(second, uses) else 5
            if self._changes_together(first.function, second.function):
                return 4
        if is_disturbed(first, second):
            return 3
        return 2 if steps else 0

    def _changes_together(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        """True if both change the same two fields: those belong together."""
        return len(self._changed.get(first, set()) & self._changed.get(second, set())) > 1
