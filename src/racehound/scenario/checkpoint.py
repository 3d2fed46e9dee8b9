"""Puts the globals of modules and classes back to what they were, so that every execution starts alike.

Restoring works in place: the same dictionary gets its old content back, so names that were bound to it
anywhere still mean the same object.
"""

import collections
import inspect
import threading
import types
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from functools import partial

from racehound.engine.control import CONTROL
from racehound.instrument.kinds import is_a
from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.primitives.mirrors import ORIGINAL_LOCK, ORIGINAL_RLOCK
from racehound.primitives.queue import ORIGINAL as ORIGINAL_QUEUE
from racehound.primitives.queue import ControlledSimpleQueue
from racehound.scenario.counters import Counter, counters_in
from racehound.scenario.data import data_of_class, is_data, is_inner_class, is_withheld
from racehound.scenario.hidden_state import cell_value, code_in, data_cells, default_of, state_of
from racehound.scenario.insides import base_of, dictionary_of, items_of, pairs_of


class Checkpoint:
    """What the modules held when it was taken."""

    def __init__(self, modules: Iterable[types.ModuleType]) -> None:
        self._names: list[tuple[types.ModuleType, dict[str, object]]] = []
        self._classes: list[tuple[type, dict[str, object]]] = []
        self._contents: list[tuple[object, object]] = []
        self._locks: list[ControlledLock | ControlledRLock] = []
        self._queues: list[tuple[ControlledSimpleQueue, list[object]]] = []
        self._caches: list[Callable[[], object]] = []
        self._cells: list[tuple[types.CellType, object]] = []
        self._counters: list[Counter] = []
        self._seen: set[int] = set()
        CONTROL.fresh_carriers = False
        for module in modules:
            self._take_module(module)

    def _take_module(self, module: types.ModuleType) -> None:
        self._names.append((module, dict(vars(module))))
        self._counters.extend(counters_in(vars(module), vars(module).__setitem__))
        for name, value in vars(module).items():
            if is_a(value, type) and value.__module__ == module.__name__:
                self._take_class(value)
            elif (clear := _clearing(value)) is not None:
                self._caches.append(clear)
            elif is_data(name, value):
                self._take(value)
        code = code_in(module)
        for kind in code.inner_classes:
            self._take_class(kind)
        for function in code.functions:
            self._take_function(function)

    def _take_function(self, function: types.FunctionType) -> None:
        self._contents.append((vars(function), dict(vars(function))))
        for value in state_of(function).values():
            self._take(value)
        self._cells.extend((cell, cell_value(cell)) for cell in data_cells(function).values())

    def _take_class(self, kind: type) -> None:
        if id(kind) in self._seen:
            return
        self._seen.add(id(kind))
        data = data_of_class(kind)
        self._classes.append((kind, data))
        self._counters.extend(counters_in(data, partial(setattr, kind)))
        members = (
            member.__func__ if is_a(member, (staticmethod, classmethod)) else member
            for member in vars(kind).values()
        )
        self._caches.extend(clear for member in members if (clear := _clearing(member)) is not None)
        for value in data.values():
            self._take(value)

    def _take(self, root: object) -> None:
        stack = [root]
        while stack:
            subject = stack.pop()
            if id(subject) in self._seen:
                continue
            self._seen.add(id(subject))
            stack.extend(self._take_one(subject))

    def _take_one(self, subject: object) -> Iterable[object]:
        if is_withheld(subject):
            return ()
        if isinstance(subject, ControlledLock | ControlledRLock):
            self._locks.append(subject)
            return ()
        if isinstance(subject, ORIGINAL_LOCK | ORIGINAL_RLOCK | ORIGINAL_QUEUE):
            return self._take_original(subject)
        if isinstance(subject, ControlledSimpleQueue):
            self._queues.append((subject, subject.items()))
            return ()
        if is_inner_class(subject):
            self._seen.discard(id(subject))
            self._take_class(subject)  # type: ignore[arg-type]  # a class
            return ()
        if isinstance(subject, threading.local):
            CONTROL.fresh_carriers = True  # else a thread would find what it left there in an earlier execution
        return [*self._take_content(subject), *self._take_attributes(subject)]

    def _take_content(self, subject: object) -> Iterable[object]:
        match subject:
            case dict():
                content = dict(pairs_of(subject))
                self._contents.append((subject, content))
                self._counters.extend(counters_in(content, partial(base_of(subject).__setitem__, subject)))
                return content.values()
            case list() | set() | collections.deque():
                self._contents.append((subject, items_of(subject)))
                return items_of(subject)
            case tuple() | frozenset():
                return items_of(subject)
            case ContextVar():
                return (default_of(subject),)
        return ()

    def _take_attributes(self, subject: object) -> Iterable[object]:
        held = dictionary_of(subject)
        if not isinstance(held, dict) or isinstance(subject, type | types.ModuleType | types.FunctionType):
            return ()
        self._contents.append((held, dict(held)))
        self._counters.extend(counters_in(held, held.__setitem__))
        return held.values()

    def _take_original(self, subject: object) -> Iterable[object]:
        """What was made before it was under control is restored through its mirror."""
        mirror = CONTROL.mirror_of(subject) if CONTROL.mirror_of is not None else None
        return () if mirror is None else self._take_one(mirror)

    def restore(self) -> None:
        for module, names in self._names:
            _refill(vars(module), names)
        for kind, data in self._classes:
            _restore_class(kind, data)
        for subject, content in self._contents:
            _refill(subject, content)
        for cell, value in self._cells:
            cell.cell_contents = value
        for counter in self._counters:
            counter.put_back()
        for lock in self._locks:
            lock._at_fork_reinit()  # noqa: SLF001 - the name that the original gives to starting afresh
        for held, items in self._queues:
            held.refill(items)
        for clear in self._caches:
            clear()


def _clearing(value: object) -> Callable[[], object] | None:
    """What empties a cache of results; not the method of a class, which wants to know of which object."""
    if is_a(value, type) or inspect.getattr_static(value, "cache_clear", None) is None:
        return None
    clear: Callable[[], object] = value.cache_clear  # type: ignore[attr-defined]  # just found to be there
    if not callable(clear):
        return None
    try:
        inspect.signature(clear).bind()
    except ValueError:
        return clear  # built in: nobody says what it takes, and those of functools take nothing
    except TypeError:
        return None
    return clear


def _refill(subject: object, content: object) -> None:
    """By the methods of the built-in class: those of a derived one are the program's."""
    match subject:
        case dict():
            _refill_mapping(subject, content)  # type: ignore[arg-type]
        case set():
            set.clear(subject)
            set.update(subject, content)  # type: ignore[arg-type]
        case list():
            list.clear(subject)
            list.extend(subject, content)  # type: ignore[arg-type]
        case collections.deque():
            collections.deque.clear(subject)
            collections.deque.extend(subject, content)  # type: ignore[arg-type]


def _refill_mapping(subject: dict[object, object], content: dict[object, object]) -> None:
    held = pairs_of(subject)
    if dict(held) == content and [key for key, _ in held] == list(content):
        return
    kind = base_of(subject)
    kind.clear(subject)
    for key, value in content.items():
        kind.__setitem__(subject, key, value)


def _restore_class(kind: type, data: dict[str, object]) -> None:
    for name in [name for name, value in vars(kind).items() if is_data(name, value) and name not in data]:
        delattr(kind, name)
    for name, value in data.items():
        if vars(kind).get(name) is not value:
            setattr(kind, name, value)
