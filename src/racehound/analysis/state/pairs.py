"""The two uses of a field that can really break each other."""

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.state.compound import updates
from racehound.analysis.state.discipline import bare, has_steps, is_disturbed, is_flag, runs_once, usual_lock
from racehound.analysis.state.fields import Use
from racehound.source.events import Action
from racehound.source.facts import FunctionFacts

COMPARED = 150
"""Uses of one field that are compared with each other; classes that machines write have thousands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    first: Use
    """The one to accuse: it holds no lock."""
    second: Use
    lock: int
    """The lock that guards the field elsewhere; 0 where nothing does."""
    steps: tuple[Use, ...]
    """All uses, by both functions, of the state that belongs together here."""

    further: tuple[Use, ...] = ()
    """The first use without the lock in each other function that can meet the second one."""
    has_steps: bool = False
    """The accused function needs several steps that belong together, or goes over what the other one resizes."""
    is_torn: bool = False
    """The accused function reads two fields that are counted up, and that some function changes together."""
    is_snapshot: bool = False
    """The accused function takes one value, whole, and uses nothing that is changed together with it."""

    @property
    def both_change(self) -> bool:
        return self.first.changes and self.second.changes


class Pairs:
    """Chooses among the uses of the fields of one class, or of one module, which then must know a lock.

    `may_meet` says whether two functions can run at the same time; without it, all of them can.
    """

    def __init__(
        self,
        fields: dict[str, list[Use]],
        may_meet: Callable[[FunctionFacts, FunctionFacts], bool] | None = None,
    ) -> None:
        self._may_meet = may_meet
        self.fields = fields
        self._changed: dict[FunctionFacts, set[str]] = {}
        self._once: dict[FunctionFacts, bool] = {}
        self._steps_of: dict[int, bool] = {}
        self._met: dict[tuple[FunctionFacts, FunctionFacts], bool] = {}
        for name, uses in fields.items():
            for use in uses:
                if use.changes:
                    self._changed.setdefault(use.function, set()).add(name)

    def choose(self, name: str, besides: Container[FunctionFacts] = ()) -> Pair | None:
        """The worst pair for a field, none of the functions `besides` accused."""
        uses = self.fields[name]
        changes = [use for use in uses if use.changes]
        if not changes or is_flag(changes):
            return None
        lock = usual_lock(uses)
        if lock:
            seconds = [use for use in uses if use.locks & lock]
            accused = [use for use in bare(uses, lock) if use.function not in besides]
            return self._best(uses, product(_some(accused), _some(seconds)), lock)
        if self._may_meet is None:
            return None
        accused = [use for use in uses if use.function not in besides]
        return self._best(uses, product(_some(accused), _some(uses)), 0)

    def _best(self, uses: list[Use], candidates: Iterable[tuple[Use, Use]], lock: int) -> Pair | None:
        best: tuple[int, Use, Use] | None = None
        for first, second in candidates:
            if not (first.changes or second.changes):
                continue
            if not self._can_meet(first, second) or _takes_what_is_there(first, second):
                continue
            weight = self._weight(uses, first, second) or int(bool(lock) and first.changes)
            better = (weight or lock) and (best is None or weight > best[0])
            if better and not self._is_set_up(first) and not self._is_set_up(second):
                best = weight, first, second
        if best is None:
            return None
        weight, first, second = best
        return Pair(
            has_steps=weight in _WITH_STEPS,
            is_torn=self._is_torn(first),
            first=first,
            second=second,
            lock=lock,
            steps=tuple(self._steps(uses, first, second)),
            is_snapshot=self._is_snapshot(first, lock),
            further=tuple(self._further(uses, first, second, lock)),
        )

    def _is_torn(self, first: Use) -> bool:
        read = {name for name, uses in self.fields.items() if any(use.function is first.function for use in uses)}
        counted = read & self._updated()
        return not first.changes and any(len(counted & changed) > 1 for changed in self._changed.values())

    def _updated(self) -> set[str]:
        """Fields to which some function writes back what it makes of the old value."""
        found = (update.place.attributes[:1] for function in self._changed for update in updates(function))
        return {name for names in found for name in names}

    def _further(self, uses: list[Use], first: Use, second: Use, lock: int) -> Iterator[Use]:
        seen = {outer_method(first.function), outer_method(second.function)}
        for use in bare(uses, lock) if lock else ():
            method = outer_method(use.function)
            if method not in seen and self._can_meet(use, second) and not self._is_set_up(use):
                seen.add(method)
                yield use

    def _is_set_up(self, use: Use) -> bool:
        if use.function not in self._once:
            self._once[use.function] = runs_once(use.function)
        return self._once[use.function]

    def _is_snapshot(self, use: Use, lock: int) -> bool:
        if use.changes or (use.touch.action is Action.ITERATE and self._is_resized(use)):
            return False
        name, uses = next((name, uses) for name, uses in self.fields.items() if use in uses)
        if not lock or sum(other.function is use.function for other in uses) != 1:
            return False
        changing = [other.function for other in uses if other.changes and other.locks & lock]
        together = set[str]().union(*(self._changed.get(function, set()) for function in changing)) - {name}
        return not any(other.function is use.function for item in together for other in self.fields[item])

    def _is_resized(self, loop: Use) -> bool:
        """False for a container that is only ever replaced by another one: a loop keeps the one it began with."""
        uses = (use for uses in self.fields.values() if loop in uses for use in uses)
        return any(is_disturbed(loop, use) for use in uses)

    def _steps(self, uses: list[Use], first: Use, second: Use) -> Iterator[Use]:
        pair = {first.function, second.function}
        together = self._together(first.function, second.function)
        for use in (*uses, *(other for name in sorted(together) for other in self.fields[name])):
            if use.function in pair:
                yield use

    def _can_meet(self, first: Use, second: Use) -> bool:
        if not (first.changes or second.changes):
            return False
        pair = first.function, second.function
        if pair not in self._met:
            self._met[pair] = self._are_apart(*pair)
        return self._met[pair]

    def _are_apart(self, first: FunctionFacts, second: FunctionFacts) -> bool:
        if outer_method(first) is outer_method(second):
            return False
        return self._may_meet is None or self._may_meet(first, second)

    def _weight(self, uses: list[Use], first: Use, second: Use) -> int:
        """Higher is worse; 0 where each of the two is a single step that leaves nothing half done."""
        steps = self._has_steps(first, uses)
        if first.changes and second.changes:
            if steps:
                return 7 if self._has_steps(second, uses) else 6
            if len(self._together(first.function, second.function)) > 1:
                return 5 if any(updates(first.function)) else 4
        if is_disturbed(first, second):
            return 3
        return 2 if steps else 0

    def _has_steps(self, use: Use, uses: list[Use]) -> bool:
        if id(use) not in self._steps_of:
            self._steps_of[id(use)] = has_steps(use, uses)
        return self._steps_of[id(use)]

    def _together(self, first: FunctionFacts, second: FunctionFacts) -> set[str]:
        """Fields that both change: two of them belong together."""
        return self._changed.get(first, set()) & self._changed.get(second, set())


_WITH_STEPS = frozenset({3, 6, 7})
"""Weights of what is certainly half done at some moment."""


def _takes_what_is_there(first: Use, second: Use) -> bool:
    """`while todo: todo.pop()` does not mind who adds."""
    adds = second.touch.method in _ADDERS or second.touch.action is Action.WRITE_ITEM
    return first.touch.method in _TAKERS and adds


_TAKERS = frozenset({"pop", "popleft", "popitem"})
_ADDERS = frozenset({"add", "append", "appendleft", "extend"})


def _some(uses: list[Use]) -> list[Use]:
    """As many as can be compared with each other, changes first; of a field with more, one pair is still found."""
    return uses if len(uses) <= COMPARED else sorted(uses, key=lambda use: not use.changes)[:COMPARED]
