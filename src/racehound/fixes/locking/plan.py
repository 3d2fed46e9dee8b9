"""Which lock guards what, where it is made, and which statements hold it."""

from collections.abc import Iterator
from dataclasses import dataclass

from racehound.fixes.locking.choice import Choice, Home, choose_lock
from racehound.fixes.locking.closure import bare, guarded_fields, sheltered_helpers, touching
from racehound.fixes.locking.compounds import compounds, reaching
from racehound.fixes.locking.dangers import dangers, looks_once, refuse_shared_bases, remarks
from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.given_away import Given, given_away
from racehound.fixes.locking.marks import marks
from racehound.fixes.locking.missing import dangers_of_making
from racehound.fixes.locking.reentrance import is_reentered
from racehound.fixes.locking.regions import Region, Statements, covered, identities, redundant, region
from racehound.fixes.locking.strangers import Neighbourhood, Stranger, strangers
from racehound.fixes.locking.territory import Territory
from racehound.fixes.locking.units import Kind, Unit
from racehound.model.finding import Subject

EVENTS = frozenset({"Event"})
UNLOCKABLE = frozenset({"__delattr__", "__getattr__", "__getattribute__", "__setattr__"})
"""Reading the lock would call them again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    choice: Choice
    reentrant: bool
    regions: tuple[Region, ...]
    redundant: frozenset[int]
    """Lines of `with` statements that take the lock inside a region."""
    functions: tuple[str, ...]
    dangers: tuple[str, ...]
    remarks: tuple[str, ...]
    given: tuple[Given, ...] = ()
    """What is given away and outlives the lock."""
    library: str = "threading"
    """Where the lock comes from: threading, or asyncio where coroutines hold it."""

    @property
    def upgrades(self) -> bool:
        """True where a lock that is there must become an RLock."""
        existing = self.choice.existing
        return self.reentrant and existing is not None and not existing.reentrant


def make_plan(land: Territory, subject: Subject) -> Plan | None:
    """The plan, or None where all is guarded already."""
    fields = guarded_fields(land, subject.fields)
    refuse_shared_bases(land, fields)
    units = touching(land, fields)
    choice = choose_lock(land, units, fields, subject.lock)
    planner = _Planner(land, choice, fields, units)
    touching_bare = [unit for unit in units if bare(unit, fields, choice.name) and not looks_once(unit, fields)]
    unguarded = touching_bare + planner.compounds()
    helpers = sheltered_helpers(land, unguarded, choice.name, frozenset(subject.functions))
    wrapped = [unit for unit in unguarded if unit.outer is not None or unit.name not in helpers]
    return planner.plan(wrapped) if wrapped else None


class _Planner:
    def __init__(self, land: Territory, choice: Choice, fields: frozenset[str], users: list[Unit]) -> None:
        self.land = land
        self.choice = choice
        self.fields = fields
        self.users = users
        """All units that use the fields, guarded or not."""
        self.forwarders = [unit for unit in reaching(land, users).values() if unit not in users]
        """Methods that do so only through the users."""

    def compounds(self) -> list[Unit]:
        """Methods to be wrapped besides those that touch the state, where nothing speaks against it."""
        if self.choice.home is Home.EXISTING and self.choice.existing is None:
            return []  # the lock is made elsewhere, and may not be one that can be taken twice
        found = compounds(self.land, self.users, self.choice.name)
        return [
            unit
            for unit in found
            if unit.name not in UNLOCKABLE
            and self.choice.name not in unit.acquires
            and not self._strangers(unit, self._covered(unit))
        ]

    def plan(self, units: list[Unit]) -> Plan:
        for unit in units:
            self._refuse(unit)
        chosen = {id(unit): self._covered(unit) for unit in units}
        called = [stranger for unit in units for stranger in self._strangers(unit, chosen[id(unit)])]
        given = given_away(self.land, self.fields)
        return Plan(
            choice=self.choice,
            reentrant=self._must_reenter(chosen, called),
            regions=tuple(region(self.land, self.choice, unit, chosen[id(unit)]) for unit in units),
            redundant=frozenset(line for unit in units for line in redundant(self.choice, unit, chosen[id(unit)])),
            functions=tuple(dict.fromkeys(unit.name for unit in units)),
            dangers=tuple(dict.fromkeys(self._dangers(units, list(dict.fromkeys(called)), given))),
            remarks=tuple(remarks(self.land)),
            given=given,
        )

    def _dangers(self, units: list[Unit], called: list[Stranger], given: tuple[Given, ...]) -> Iterator[str]:
        yield from dangers(self.land, units, self.fields, called)
        yield from (item.danger for item in given if item.danger is not None)
        yield from dangers_of_making(self.land, self.choice)

    def _refuse(self, unit: Unit) -> None:
        if unit.suspends:
            raise CannotHold(
                f"`{unit.name}` hands control away in the middle; a lock must not be held across that"
            )
        if unit.name in UNLOCKABLE:
            raise CannotHold(f"`{unit.name}` would call itself to find the lock")
        if self.choice.name in unit.acquires:
            raise CannotHold(f"`{unit.name}` acquires and releases the lock by hand")

    def _covered(self, unit: Unit) -> Statements:
        marked = marks(
            unit, self.fields, [other for other in (*self.users, *self.forwarders) if other is not unit]
        )
        return covered(unit, marked, has_strangers=lambda block: bool(self._strangers(unit, block)))

    def _nested(self, unit: Unit) -> list[Unit]:
        return [inner for inner in self.land.units if inner.outer is unit]

    def _strangers(self, unit: Unit, statements: Statements) -> list[Stranger]:
        near = Neighbourhood(
            scope=unit.scope,
            lock=self.choice.name,
            containers=self.land.containers,
            conditions=self.land.conditions_over(self.choice.name),
            events=self.land.made_by(EVENTS),
            methods=self.land.methods,
            functions=self.land.functions | {inner.name: inner.node for inner in self._nested(unit)},
            classes=self.land.classes,
            owner=self.land.class_node if unit.kind is Kind.CLASS else None,
        )
        return strangers(statements, near, within=unit.node)

    def _must_reenter(self, chosen: dict[int, Statements], called: list[Stranger]) -> bool:
        inside = {key: identities(statements) for key, statements in chosen.items()}
        reentrant = is_reentered(self.land, self.choice.name, inside) or any(item.returns for item in called)
        if reentrant and self.choice.home is Home.EXISTING and self.choice.existing is None:
            raise CannotHold(
                f"`{self.choice.name}` would be taken twice by one thread, and is not made in this file"
            )
        return reentrant
