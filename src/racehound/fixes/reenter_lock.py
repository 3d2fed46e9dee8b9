"""A lock that one thread comes to take twice becomes an RLock."""

import ast
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

from racehound.fixes.editing.module_level import with_imports
from racehound.fixes.editing.reading import Function, Reading
from racehound.fixes.locking.imports import say
from racehound.fixes.locking.locks import ExistingLock
from racehound.fixes.locking.makings import refuse_second_making
from racehound.fixes.locking.rewrite import rewrite
from racehound.fixes.locking.territory import class_territory, module_territory
from racehound.fixes.locking.upgrade import RenameFactory
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding


class ReenterLock(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH203"})
    is_of_one_task: bool = True

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        subject = findings[0].subject
        reading = Reading(source)
        name = (subject.lock or "").rpartition(".")[2]
        lock = _lock(reading, subject.class_name, name)
        _refuse_other_uses(reading, lock)
        factory = say(reading.tree, "threading", "RLock")
        after = rewrite(source, RenameFactory(lock.line, factory.expression))
        owner = f"`{subject.class_name}`" if subject.class_name else "the module"
        return Change(with_imports(after, factory), f"{owner} makes `{name}` as an RLock")

    def together(self, finding: Finding) -> Hashable:
        return finding.rule, finding.subject.class_name, finding.subject.lock


def _lock(reading: Reading, class_name: str | None, name: str) -> ExistingLock:
    of_class = class_territory(reading.tree, class_name) if class_name else None
    of_module = module_territory(reading.tree)
    for land in (of_class, of_module):
        if land is None:
            continue
        if name in land.async_locks:
            raise CannotChange("no lock of asyncio can be taken twice by one task")
        found = land.locks.get(name)
        if found is not None and found.factory == "Lock":
            refuse_second_making(reading, land, name)
            return found
    raise CannotChange(f"`{name}` is not made in this file as a plain Lock")


def _refuse_other_uses(reading: Reading, lock: ExistingLock) -> None:
    """An RLock is given back by the thread that took it, as often as it did, and by nobody else."""
    by_hand: dict[Function | ast.AST, list[str]] = {}
    for node in _named(reading, lock.name):
        above = reading.parent(node)
        match above:
            case ast.withitem():
                continue
            case ast.Attribute(attr="acquire" | "release" as method):
                by_hand.setdefault(reading.scope(node), []).append(method)
            case ast.Attribute(attr="locked"):
                raise CannotChange(f"somebody asks whether `{lock.name}` is `locked()`")
            case _:
                raise CannotChange(f"`{lock.name}` is handed on to somebody who may release it elsewhere")
    if any(set(methods) != {"acquire", "release"} for methods in by_hand.values()):
        raise CannotChange(f"`{lock.name}` is released elsewhere than where it is taken")


def _named(reading: Reading, name: str) -> Iterator[ast.AST]:
    """The places where the lock is used, by whatever object."""
    for node in ast.walk(reading.tree):
        match node:
            case ast.Attribute(attr=found, ctx=ast.Load()) | ast.Name(id=found, ctx=ast.Load()) if found == name:
                yield node
