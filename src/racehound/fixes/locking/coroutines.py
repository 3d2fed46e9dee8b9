"""A lock of asyncio for state that coroutines use on both sides of an await.

Only coroutines can wait for such a lock, and only those need it that change the state or look at it more than once
with an await in between: between two awaits nobody else runs. Each holds it from its first touch to its last.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from racehound.fixes.locking.choice import Choice, Home, new_lock
from racehound.fixes.locking.closure import bare, sheltered_helpers, touching
from racehound.fixes.locking.dangers import common_dangers, refuse_shared_bases, remarks
from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.marks import marks
from racehound.fixes.locking.missing import dangers_of_loops, dangers_of_making
from racehound.fixes.locking.plan import Plan
from racehound.fixes.locking.presence import counted_in_and_out
from racehound.fixes.locking.reentrance import is_reentered
from racehound.fixes.locking.regions import Statements, covered, identities, redundant, region
from racehound.fixes.locking.territory import Territory
from racehound.fixes.locking.units import Unit
from racehound.model.finding import Subject

_COPIES = frozenset({"list", "tuple", "set", "dict", "frozenset", "sorted"})


def plan_for_coroutines(land: Territory, subject: Subject) -> Plan | None:
    """The plan, or None where all is guarded already."""
    fields = frozenset(subject.fields)
    refuse_shared_bases(land, fields)
    users = touching(land, fields)
    choice = _choose(land, users, fields, subject.lock)
    open_units = [unit for unit in users if _needs_lock(unit, fields) and bare(unit, fields, choice.name)]
    helpers = sheltered_helpers(land, open_units, choice.name, frozenset(subject.functions))
    wrapped = [unit for unit in open_units if unit.outer is not None or unit.name not in helpers]
    return _plan(land, choice, _State(fields, users), wrapped) if wrapped else None


class _State(NamedTuple):
    fields: frozenset[str]
    users: list[Unit]
    """All that touch the fields; calls of them are touches, too."""


def _choose(land: Territory, users: list[Unit], fields: frozenset[str], named: str | None) -> Choice:
    """The lock of asyncio that others hold around the state, or a new one."""
    held = Counter(name for unit in users for touch in unit.touched(fields) for name in touch.held)
    said = (named or "").rpartition(".")[2]
    for name in (land.conditions.get(said, said), *(name for name, _ in held.most_common())):
        if name in land.async_locks:
            is_global = land.class_node is None
            return Choice(name=name, home=Home.EXISTING, existing=land.async_locks[name], is_global=is_global)
    return new_lock(land, users, fields)


def _needs_lock(unit: Unit, fields: frozenset[str]) -> bool:
    if not isinstance(unit.node, ast.AsyncFunctionDef):
        return False
    touched = unit.touched(fields)
    is_long = len(touched) > 1 and _waits(unit.node.body)
    return is_long or any(touch.changes or _is_gone_over(touch.node, unit.node) for touch in touched)


def _is_gone_over(touched: ast.AST, function: ast.AST) -> bool:
    """Whether a loop that awaits goes over it: that is one long use."""
    loops = [node for node in ast.walk(function) if isinstance(node, ast.For) and _waits(node.body)]
    return any(touched in ast.walk(loop.iter) for loop in loops if not _is_copied(loop.iter))


def _is_copied(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in _COPIES


def _waits(statements: Statements) -> bool:
    kinds = ast.Await | ast.AsyncFor | ast.AsyncWith
    return any(isinstance(node, kinds) for statement in statements for node in ast.walk(statement))


def _plan(land: Territory, choice: Choice, state: _State, units: list[Unit]) -> Plan:
    chosen = {id(unit): _covered(unit, state) for unit in units}
    for unit in units:
        _refuse(unit, chosen[id(unit)], state.fields, choice)
    if is_reentered(land, choice.name, {key: identities(block) for key, block in chosen.items()}):
        raise CannotHold("a coroutine would wait for a lock that it holds itself")
    return Plan(
        choice=choice,
        reentrant=False,
        regions=tuple(region(land, choice, unit, chosen[id(unit)], is_async=True) for unit in units),
        redundant=frozenset(line for unit in units for line in redundant(choice, unit, chosen[id(unit)])),
        functions=tuple(dict.fromkeys(unit.name for unit in units)),
        dangers=tuple(
            dict.fromkeys(
                (
                    *_dangers(land, units, chosen, state.fields),
                    *dangers_of_making(land, choice),
                    *dangers_of_loops(land, choice),
                )
            )
        ),
        remarks=tuple(remarks(land)),
        library="asyncio",
    )


def _covered(unit: Unit, state: _State) -> Statements:
    others = [other for other in state.users if other is not unit]
    return covered(unit, marks(unit, state.fields, others), has_strangers=_waits)


def _refuse(unit: Unit, block: Statements, fields: frozenset[str], choice: Choice) -> None:
    if unit.generator:
        raise CannotHold(f"`{unit.name}` gives values out in the middle; a lock must not be held across that")
    if choice.name in unit.acquires:
        raise CannotHold(f"`{unit.name}` acquires and releases the lock by hand")
    touched = {id(node) for touch in unit.touched(fields) for node in ast.walk(touch.node)}
    loops = [node for statement in block for node in ast.walk(statement) if isinstance(node, ast.While)]
    if any(id(node) in touched for loop in loops for node in ast.walk(loop.test)):
        raise CannotHold(f"`{unit.name}` waits in a loop for what others do to the state")
    counted = counted_in_and_out(block, fields)
    if counted is not None:
        raise CannotHold(f"`{counted}` counts who is in `{unit.name}`; with a lock there is never more than one")


def _dangers(
    land: Territory, units: list[Unit], chosen: dict[int, Statements], fields: frozenset[str]
) -> Iterator[str]:
    for unit in units:
        for text in _awaited(chosen[id(unit)], unit, land, set()):
            yield f"the lock is held across `{text}`, which may take long or come back"
    for unit in touching(land, fields):
        plain = not isinstance(unit.node, ast.AsyncFunctionDef)
        if plain and any(touch.changes for touch in unit.touched(fields)):
            yield f"`{unit.name}` changes the state and, being no coroutine, cannot wait for the lock"
    yield from common_dangers(land, units, fields)


def _awaited(block: Statements, unit: Unit, land: Territory, seen: set[str]) -> Iterator[str]:
    """What is awaited below; coroutines of the same object are known, and followed."""
    calls = (node.value for statement in block for node in ast.walk(statement) if isinstance(node, ast.Await))
    for call in calls:
        if not isinstance(call, ast.Call):
            continue
        own = unit.scope.resolve(call.func)
        if own in land.methods and own not in seen:
            yield from _awaited(land.methods[own].body, unit, land, {*seen, own})
        elif own not in land.methods and not ast.unparse(call.func).endswith("sleep"):
            yield ast.unparse(call.func)
