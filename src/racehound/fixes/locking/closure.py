"""Which fields and functions belong under one lock."""

from collections.abc import Iterable

from racehound.fixes.locking.territory import Territory
from racehound.fixes.locking.units import Kind, Touch, Unit
from racehound.fixes.locking.vocabulary import SYNCHRONISERS


def guarded_fields(land: Territory, accused: Iterable[str]) -> frozenset[str]:
    """The accused fields and all changing state that the same functions use, step by step until nothing is added.

    A function that updates two fields keeps them consistent with each other only if one lock guards both.
    """
    open_to_change = _changing(land) - _guarded_already(land)
    fields = frozenset(accused)
    while True:
        used = {touch.name for unit in touching(land, fields) for touch in unit.touches}
        grown = fields | (used & open_to_change)
        if grown == fields:
            return fields
        fields = grown


def touching(land: Territory, fields: frozenset[str]) -> list[Unit]:
    """The units that may run while others do and that use one of the fields; static methods are left alone."""
    return [unit for unit in _shared(land) if unit.kind is not Kind.STATIC and unit.touched(fields)]


def _shared(land: Territory) -> list[Unit]:
    return [unit for unit in land.units if not unit.owned]


def _changing(land: Territory) -> frozenset[str]:
    changed = {touch.name for unit in _shared(land) for touch in unit.touches if touch.changes}
    return frozenset(
        changed - set(land.methods) - set(land.locks) - set(land.async_locks) - land.made_by(SYNCHRONISERS)
    )


def _guarded_already(land: Territory) -> frozenset[str]:
    """Fields that some lock is held around at every touch."""
    locks: dict[str, frozenset[str]] = {}
    for unit in _shared(land):
        for touch in unit.touches:
            locks[touch.name] = locks.get(touch.name, touch.held) & touch.held
    return frozenset(name for name, held in locks.items() if held)


def bare(unit: Unit, fields: frozenset[str], lock: str) -> list[Touch]:
    return [touch for touch in unit.touched(fields) if lock not in touch.held]


def sheltered_helpers(land: Territory, open_units: list[Unit], lock: str, raced: frozenset[str]) -> frozenset[str]:
    """Private methods that are only ever called with the lock held: their callers hold it for them."""
    candidates = {unit.name for unit in open_units if is_private(unit) and unit.name not in raced}
    wrapped = {id(unit) for unit in open_units if unit.name not in candidates}
    sheltered: set[str] = set()
    while True:
        holding = wrapped | {id(unit) for unit in open_units if unit.name in sheltered}
        more = {name for name in candidates if _is_sheltered(name, land, lock, holding)}
        if more <= sheltered:
            return frozenset(sheltered)
        sheltered |= more


def is_private(unit: Unit) -> bool:
    return (
        unit.outer is None and unit.kind is Kind.INSTANCE and unit.name.startswith("_") and unit.name[-2:] != "__"
    )


def _is_sheltered(name: str, land: Territory, lock: str, holding: set[int]) -> bool:
    uses = [(unit, touch) for unit in land.units for touch in unit.touches if touch.name == name]
    from_others = [use for use in uses if use[0].name != name]
    return bool(from_others) and all(
        touch.called and not touch.deferred and (unit.name == name or lock in touch.held or id(unit) in holding)
        for unit, touch in uses
    )
