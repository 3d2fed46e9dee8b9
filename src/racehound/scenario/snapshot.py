"""The state of a program as a value that can be compared and shown.

A snapshot maps paths to leaves: `state._failures['a']` to `1`. Two snapshots are the same outcome when they
agree on every path that is not masked. Objects that are reached twice are recorded as the path under which
they were first met, so "both tasks got the same object" is part of the outcome.
"""

import asyncio
import collections
import concurrent.futures
import enum
import io
import pathlib
import re
import threading
import types
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from typing import Final

from racehound.engine.mirror import Mirror
from racehound.primitives.lock import ControlledLock, ControlledRLock
from racehound.primitives.lru_cache import ControlledCache
from racehound.primitives.queue import ControlledSimpleQueue
from racehound.scenario.data import NAMED, data_of_class, is_inner_class, is_ours, is_withheld
from racehound.scenario.hidden_state import code_within, default_of, state_of
from racehound.scenario.insides import dictionary_of, items_of, pairs_of

Snapshot = dict[str, str]
AnyFuture = asyncio.Future[object] | concurrent.futures.Future[object]

LEAF_LIMIT: Final = 50_000
CUT: Final = "the rest of the state"
"""The path that stands for what was too much to look at."""

_SCALARS = (int, float, complex, bool, str, bytes, type(None), type(...), range)
_HINTS = frozenset({types.GenericAlias, types.UnionType})

MACHINERY: Final = (
    *(asyncio.AbstractEventLoop, asyncio.Future, concurrent.futures.Executor, concurrent.futures.Future),
    *(ControlledSimpleQueue, ControlledCache),
)
"""How the program runs, not what it has come to."""
MARK = "_racehound_"
_OF_ASYNCIO = frozenset({"_loop", "_waiters", "_getters", "_putters"})
_OF_MIRRORS = frozenset({"site"})
_OF_THREADS = frozenset(vars(threading.Thread())) | {"_handle", "_ident", "_native_id", "_is_stopped"}


def is_constant(subject: object) -> bool:
    """Whether it is a plain value or a type hint, which is told whole by its text."""
    kind = type(subject)
    if kind.__module__ == "builtins":
        return isinstance(subject, _SCALARS) and not is_withheld(subject)
    return kind.__module__ == "typing" or kind in _HINTS


class _Walker:
    def __init__(self, known: dict[int, str] | None = None) -> None:
        """`known`: where objects have been met before."""
        self.leaves: Snapshot = {}
        self._first = dict(known or {})
        self._kept: list[object] = []

    def reached(self) -> set[int]:
        """The addresses of what it has met."""
        held = {id(dictionary_of(subject)) for subject in self._kept}
        return {*map(id, self._kept), *held}

    def visit(self, path: str, subject: object) -> None:
        if len(self.leaves) >= LEAF_LIMIT:
            self.leaves[CUT] = "not looked at"
        elif is_withheld(subject):
            self.leaves[path] = type(subject).__qualname__
        elif is_constant(subject):
            self.leaves[path] = repr(subject) if isinstance(subject, _SCALARS) else describe(subject)
        elif isinstance(subject, types.ModuleType):
            self.leaves[path] = subject.__name__
        elif isinstance(subject, NAMED) and not _carries_data(subject):
            self.leaves[path] = getattr(subject, "__qualname__", repr(type(subject)))
        elif id(subject) in self._first:
            self.leaves[path] = f"same as {self._first[id(subject)]}"
        else:
            self._first[id(subject)] = path
            self._kept.append(subject)
            self._visit_fresh(path, subject)

    def _visit_fresh(self, path: str, subject: object) -> None:
        self.leaves[path] = _leaf(subject)
        match subject:
            case dict():
                self._visit_mapping(path, subject)
            case list() | tuple() | collections.deque() | bytearray():
                inside = items_of(subject)
                self.leaves[f"len({path})"] = str(len(inside))
                for index, item in enumerate(inside):
                    self.visit(f"{path}[{index}]", item)
            case set() | frozenset():
                inside = [item for item in items_of(subject) if not _is_fleeting(item)]
                self.leaves[f"len({path})"] = str(len(inside))
                self.leaves[f"items of {path}"] = ", ".join(sorted(map(self._described, inside)))
            case BaseException():
                self.visit(f"{path}.args", subject.args)
            case types.FunctionType() | types.MethodType() | type():
                self._visit_code(path, subject)
            case ControlledSimpleQueue():
                self.visit(f"{path}.items", subject.items())
            case asyncio.Future() | concurrent.futures.Future():
                self._visit_future(path, subject)
            case _:
                self._visit_from_outside(path, subject)
        self._visit_attributes(path, subject)

    def _visit_from_outside(self, path: str, subject: object) -> None:
        """Objects whose content only they themselves can show."""
        match subject:
            case io.StringIO() | io.BytesIO() if not subject.closed:
                self.leaves[f"content of {path}"] = f"{subject.getvalue()!r}, at {subject.tell()}"
            case ContextVar():
                self.visit(f"default of {path}", default_of(subject))
            case weakref.ref():
                self.visit(f"{path}()", subject())
            case ControlledCache():
                self._visit_mapping(f"{path}.cache", dict(subject.held))
            case _ if type(subject).__module__ == "sqlite3":
                self.leaves[f"content of {path}"] = _dumped(subject)

    def _described(self, subject: object) -> str:
        """An item of a set, which has no place of its own: what it holds is part of its name."""
        shown = describe(subject)
        if not _has_inside(subject) or id(subject) in self._first:
            return shown
        inner = _Walker(self._first)
        inner.visit("", subject)
        self._kept.extend(inner._kept)
        return f"{shown} {sorted(inner.leaves.items())}"

    def _visit_code(self, path: str, subject: types.FunctionType | types.MethodType | type) -> None:
        if isinstance(subject, types.MethodType):
            self.visit(f"{path}.__self__", subject.__self__)
        elif isinstance(subject, type):
            for name, item in data_of_class(subject).items():
                self.visit(f"{path}.{name}", item)
            for base in filter(is_inner_class, subject.__bases__):
                self.visit(f"base {base.__qualname__} of {path}", base)
        elif is_ours(subject):
            for name, item in (state_of(subject) | code_within(subject)).items():
                self.visit(f"{path} ({name})", item)

    def _visit_future(self, path: str, subject: "AnyFuture") -> None:
        self.leaves[path] = type(subject).__qualname__
        if subject.cancelled() or not subject.done():
            self.leaves[path] += " cancelled" if subject.cancelled() else " pending"
            return
        error = subject.exception()
        self.visit(f"{path}.{'result()' if error is None else 'exception()'}", error or subject.result())

    def _visit_mapping(self, path: str, subject: dict[object, object]) -> None:
        inside = [(key, item) for key, item in pairs_of(subject) if not _is_fleeting(key, item)]
        self.leaves[f"len({path})"] = str(len(inside))
        if isinstance(subject, collections.OrderedDict):
            self.leaves[f"order of {path}"] = ", ".join(describe(key) for key, _ in inside)
        alike: collections.Counter[str] = collections.Counter()
        for key, item in inside:
            shown = describe(key)
            alike[shown] += 1
            number = f" #{alike[shown]}" if alike[shown] > 1 else ""
            if shown != "'__builtins__'":  # a namespace carries all of Python along
                self.visit(f"{path}[{shown}{number}]", item)
            if _has_inside(key):
                self.visit(f"key {shown}{number} of {path}", key)

    def _visit_attributes(self, path: str, subject: object) -> None:
        if isinstance(subject, MACHINERY):
            return
        hidden = hidden_attributes(subject)
        for name, item in attributes_of(subject):
            if name in hidden or name.startswith(MARK):
                continue
            self.visit(f"{path}.{name}", item)
        if is_inner_class(type(subject)):
            self.visit(f"type({path})", type(subject))


def _is_fleeting(key: object, item: object = None) -> bool:
    """Whether a weak table has an entry for a task or a loop, which goes with it, at a time that nobody chooses.

    One that has gone already is there again if the table was put back to what it was.
    """
    reference = item if isinstance(item, weakref.KeyedRef) else key
    return isinstance(reference, weakref.ref) and isinstance(reference(), _FLEETING)


_FLEETING = (asyncio.Future, asyncio.AbstractEventLoop, type(None))


def _has_inside(subject: object) -> bool:
    """Whether something that is shown as text, as items of sets and keys are, may hold more than that tells."""
    if isinstance(subject, _SCALARS):
        return False
    if type(subject) in (tuple, frozenset):
        return any(map(_has_inside, subject))  # type: ignore[call-overload]  # just found to have items
    return _carries_data(subject) or bool(attributes_of(subject))


def _carries_data(subject: object) -> bool:
    """Whether a function or class may lead to state that nothing else leads to."""
    return isinstance(subject, types.FunctionType | types.MethodType) or is_inner_class(subject)


def _leaf(subject: object) -> str:
    """The object itself in a word: its value where nothing else would show it, else its type."""
    if isinstance(subject, types.FunctionType | types.MethodType | type):
        return subject.__qualname__
    kind = type(subject).__qualname__
    if isinstance(subject, ControlledLock | ControlledRLock):
        return repr(subject)
    if isinstance(subject, enum.Enum):
        return f"{kind}.{subject.name}"
    if isinstance(subject, pathlib.PurePath):
        return f"{kind} {pathlib.PurePath.as_posix(subject)}"
    if isinstance(subject, _SCALARS):
        return f"{kind} {subject!r}"
    seen_inside = isinstance(subject, dict | list | tuple | set | frozenset | collections.deque | BaseException)
    if seen_inside or attributes_of(subject):
        return kind
    return describe(subject)


def _dumped(database: object) -> str:
    """What a database holds, if it can be asked now."""
    try:
        return "; ".join(database.iterdump())  # type: ignore[attr-defined]  # a connection, else it raises
    except Exception:  # noqa: BLE001 - closed, locked, of another thread, or no connection at all
        return type(database).__qualname__


def hidden_attributes(subject: object) -> frozenset[str]:
    """What the machinery keeps in an object for itself."""
    if isinstance(subject, threading.Thread):
        return _OF_THREADS
    if isinstance(subject, Mirror):
        return _OF_MIRRORS
    if isinstance(subject, pathlib.PurePath):
        return _of_paths()
    is_of_asyncio = any(kind.__module__.startswith("asyncio.") for kind in type(subject).__mro__)
    return _OF_ASYNCIO if is_of_asyncio else frozenset()


@cache
def _of_paths() -> frozenset[str]:
    """What paths keep to be quicker the next time; their text tells all."""
    kinds = (pathlib.PurePath, pathlib.PurePosixPath, type(pathlib.Path()))
    return frozenset(slot.__name__ for kind in kinds for slot in slots_of(kind))


def attributes_of(subject: object) -> list[tuple[str, object]]:
    """The attributes that an object holds itself, in its dictionary or in slots."""
    if isinstance(subject, (*NAMED, types.ModuleType, ControlledLock, ControlledRLock)):
        return []
    if isinstance(subject, threading.local):
        return []  # those of the asking thread, for which they would be made, by code of the program
    found = list((dictionary_of(subject) or {}).items())
    if isinstance(subject, enum.Enum):
        found = [(name, item) for name, item in found if not name.startswith("_")]
    found.extend(_filled_slots(subject))
    return found


def _filled_slots(subject: object) -> Iterator[tuple[str, object]]:
    """Asked of the slots themselves: for an empty one an object may have code that fills it."""
    for slot in slots_of(type(subject)):
        with suppress(AttributeError):
            yield slot.__name__, slot.__get__(subject)


def slots_of(kind: type) -> tuple[types.MemberDescriptorType, ...]:
    """The slots that objects of a class have."""
    if type(kind) is not type:  # its metaclass may have its own idea of what is equal
        return _find_slots(kind)
    known = _SLOTS.get(kind)
    if known is None:
        known = _SLOTS[kind] = _find_slots(kind)
    return known


def _find_slots(kind: type) -> tuple[types.MemberDescriptorType, ...]:
    members = (item for owner in reversed(kind.__mro__) for item in vars(owner).items())
    slots = {name: member for name, member in members if isinstance(member, types.MemberDescriptorType)}
    return tuple(slot for name, slot in slots.items() if not name.endswith(_PLACES))


_PLACES = "offset__"
"""What built-in classes say of where their objects keep something."""
_SLOTS: weakref.WeakKeyDictionary[type, tuple[types.MemberDescriptorType, ...]] = weakref.WeakKeyDictionary()


def describe(subject: object) -> str:
    """A short text that does not depend on addresses."""
    text = repr(subject)
    return type(subject).__qualname__ if is_addressed(text) else text


def is_addressed(text: str) -> bool:
    """Whether a text holds the address of an object, in one of the ways in which the interpreter writes it."""
    return " at 0x" in text or " @ 0x" in text


def without_addresses(text: str) -> str:
    """A text that is the same in every run, as far as addresses are concerned."""
    return _ADDRESS.sub("", text)


_ADDRESS = re.compile(r" (?:at|@) 0x[0-9A-Fa-f]+")


def capture(roots: Mapping[str, object]) -> Snapshot:
    """The snapshot of everything that can be reached from the roots."""
    walker = _Walker()
    for name, subject in roots.items():
        walker.visit(name, subject)
    return walker.leaves


def reached(roots: Mapping[str, object]) -> set[int]:
    """The addresses of all objects that a snapshot of the roots tells of, and of what holds their attributes."""
    walker = _Walker()
    for name, subject in roots.items():
        walker.visit(name, subject)
    return walker.reached()


def differing_paths(first: Snapshot, second: Snapshot) -> frozenset[str]:
    """Paths at which two snapshots disagree."""
    return frozenset(path for path in first.keys() | second.keys() if first.get(path) != second.get(path))


def state_in(snapshot: Snapshot) -> Snapshot:
    """The part of an outcome that stays, without what the operations returned or raised."""
    return {path: leaf for path, leaf in snapshot.items() if not _OF_RESULTS.search(path)}


_OF_RESULTS = re.compile(r"(?:^|\(| of )results\b")


def without(snapshot: Snapshot, masked: Iterable[str]) -> Snapshot:
    """The snapshot as far as it can be compared."""
    hidden = set(masked)
    return {path: leaf for path, leaf in snapshot.items() if path not in hidden}
