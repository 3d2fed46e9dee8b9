"""Sections of one function between which the lock is free, where the last one goes by what the first one saw."""

from collections import Counter
from typing import NamedTuple

from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.territory import Territory
from racehound.model.finding import Subject


class Sections(NamedTuple):
    lock: str
    names: frozenset[str]
    """By which the lock goes."""
    lines: frozenset[int]
    """Where it is taken."""


def sections_of(land: Territory, subject: Subject) -> Sections:
    """Those of the accused function; none where others take the lock for it."""
    fields = frozenset(subject.fields)
    units = [unit for unit in land.units if unit.name in subject.functions[:1]]
    held = Counter(name for unit in units for touch in unit.touched(fields) for name in touch.held)
    said = (subject.lock or "").rpartition(".")[2]
    name = said if said in held else next((lock for lock, _ in held.most_common(1)), "")
    names = land.conditions_over(name) | {name}
    withs = [node for unit in units for each in names for node in unit.withs.get(each, ())]
    if any(item.optional_vars is not None for node in withs for item in node.items):
        raise CannotHold("the lock is bound to a name")
    return Sections(name, names, frozenset(node.lineno for node in withs))
