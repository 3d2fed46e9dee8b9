"""A lock between threads that only coroutines take becomes one between tasks: who waits lets the others go on."""

import ast
from collections.abc import Hashable, Iterator, Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.editor import Editor, Statement
from racehound.fixes.editing.module_level import with_imports, without_import
from racehound.fixes.editing.reading import Reading
from racehound.fixes.locking.imports import say
from racehound.fixes.locking.makings import refuse_second_making
from racehound.fixes.locking.rewrite import rewrite
from racehound.fixes.locking.territory import class_territory, module_territory
from racehound.fixes.locking.upgrade import RenameFactory
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_THREADS = frozenset({"Thread", "Timer", "ThreadPoolExecutor", "run_in_executor", "to_thread", "run_sync"})


class AwaitLock(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH303"})

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        subject = findings[0].subject
        reading = Reading(source)
        name = (subject.lock or "").rpartition(".")[2]
        line = _made_at(reading, subject.class_name, name)
        blocks = list(_blocks(reading, name))
        editor = Editor(reading)
        for block in blocks:
            editor.statement(block, lambda old: [_asynchronous(old)])
        factory = say(reading.tree, "asyncio", "Lock")
        after = with_imports(rewrite(editor.text(), RenameFactory(line, factory.expression)), factory)
        owner = f"`{subject.class_name}`" if subject.class_name else "the module"
        return Change(
            without_import(after, "threading"),
            f"{owner} makes `{name}` as a lock of asyncio, and its coroutines wait for it",
            tuple(_dangers(reading, subject.class_name, name)),
        )

    def together(self, finding: Finding) -> Hashable:
        return finding.rule, finding.subject.class_name, finding.subject.lock


def _made_at(reading: Reading, class_name: str | None, name: str) -> int:
    of_class = class_territory(reading.tree, class_name) if class_name else None
    for land in (of_class, module_territory(reading.tree)):
        if land is not None and name in land.locks:
            if land.locks[name].factory != "Lock":
                raise CannotChange(f"`{name}` is no plain lock: asyncio has none that one task may take twice")
            refuse_second_making(reading, land, name)
            return land.locks[name].line
    raise CannotChange(f"`{name}` is not made in this file as a plain Lock")


def _blocks(reading: Reading, name: str) -> Iterator[ast.With]:
    """The `with` statements that take the lock, if nobody but coroutines takes it, and in no other way."""
    for node in ast.walk(reading.tree):
        match node:
            case ast.Attribute(attr=found, ctx=ast.Load()) | ast.Name(id=found, ctx=ast.Load()) if found == name:
                block = reading.parent(reading.parent(node))
            case _:
                continue
        if not isinstance(block, ast.With) or not isinstance(reading.parent(node), ast.withitem):
            raise CannotChange(f"`{name}` is used otherwise than by `with`")
        if not isinstance(reading.scope(block), ast.AsyncFunctionDef):
            raise CannotChange(f"`{name}` is taken outside of coroutines as well")
        if len(block.items) > 1:
            raise CannotChange(f"`{name}` is taken together with something else")
        yield block


def _asynchronous(old: Statement) -> Statement:
    assert isinstance(old, cst.With)  # noqa: S101 - as the tree says
    return old.with_changes(asynchronous=cst.Asynchronous())


def _dangers(reading: Reading, class_name: str | None, name: str) -> Iterator[str]:
    if _is_of_module(reading, class_name, name):
        yield "it is made for the whole module, and a lock of asyncio serves one event loop only"
    words = {node.attr for node in ast.walk(reading.tree) if isinstance(node, ast.Attribute)}
    words |= {node.id for node in ast.walk(reading.tree) if isinstance(node, ast.Name)}
    if words & _THREADS:
        yield "it keeps out the tasks of one event loop only, and this file has threads as well"
    if not name.startswith("_"):
        yield f"`{name}` may be taken by others, outside of this file"


def _is_of_module(reading: Reading, class_name: str | None, name: str) -> bool:
    """True for a lock that outlives an event loop, as what the module makes does."""
    land = class_territory(reading.tree, class_name) if class_name else None
    if land is None or name not in land.locks or not land.locks[name].of_instance:
        return True
    values = (line.value for line in reading.tree.body if isinstance(line, ast.Assign | ast.AnnAssign))
    return any(isinstance(value, ast.Call) and ast.unparse(value.func) == class_name for value in values)
