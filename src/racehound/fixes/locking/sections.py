"""Sections of one function between which the lock is free, where what the first one saw is what the last goes by."""

from collections import Counter

from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.territory import Territory
from racehound.model.finding import Subject


def sections_of(land: Territory, subject: Subject) -> tuple[str, frozenset[int]]:
    """The lock that the accused function takes, and the lines where it does; none where others take it for it."""
    fields = frozenset(subject.fields)
    units = [unit for unit in land.units if unit.name in subject.functions[:1]]
    held = Counter(name for unit in units for touch in unit.touched(fields) for name in touch.held)
    said = (subject.lock or "").rpartition(".")[2]
    name = said if said in held else next((lock for lock, _ in held.most_common(1)), "")
    withs = [node for unit in units for node in unit.withs.get(name, ())]
    if any(item.optional_vars is not None for node in withs for item in node.items):
        raise CannotHold("the lock is bound to a name")
    return name, frozenset(node.lineno for node in withs)
