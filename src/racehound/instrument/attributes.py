"""Where an attribute is found: in the object, in a slot, in its class, or nowhere yet."""

import asyncio
import functools
import gc
import queue
import threading
import types
from concurrent.futures import Future
from enum import IntEnum
from typing import NamedTuple

from racehound.engine.execution import Execution
from racehound.engine.operation import ObjectId
from racehound.instrument.kinds import SORTS, Sort, is_instrumented
from racehound.instrument.known import is_trusted

_METHODS = (
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType),
    *(types.ClassMethodDescriptorType, types.MethodWrapperType, types.GetSetDescriptorType, staticmethod),
    *(classmethod, functools.partialmethod, types.DynamicClassAttribute),
)


_OF_EXCEPTIONS = tuple(
    member for member in vars(BaseException).values() if isinstance(member, types.GetSetDescriptorType)
)
"""`args` and its like: can be set."""


class Home(IntEnum):
    OBJECT = 0
    """In the object itself, or missing: another task could put it there."""
    CODE = 1
    """A method or a property: what it does is published where it does it."""
    CLASS = 2
    """A value of the class that the object may cover with one of its own."""
    UNSEEN = 3
    """A descriptor whose code is not instrumented."""
    CACHED = 4
    """A `cached_property`: put into the object by its first use."""
    INNER = 5
    """Belongs to a class of the standard library, whose own methods use it unseen."""


class Place(NamedTuple):
    home: Home
    member: object = None
    owners: tuple[type, ...] = ()
    """The classes that are asked for the attribute, up to the one that has it."""
    is_plain: bool = False
    """Whether to read or set it is to read or set what the object holds under that name, and nothing else."""


_FIELD_OF_TUPLE = type(vars(Place)["home"])
"""What named tuples have for each field; the tuple behind it never changes."""


def place_of(kind: type, name: str) -> Place:
    """Where instances of a class find an attribute that they do not hold themselves."""
    known: Place | None = SORTS.homes.get((kind, name))
    if known is None:
        known = SORTS.homes[kind, name] = _search(kind, name)
    return known


def _search(kind: type, name: str) -> Place:
    for index, owner in enumerate(kind.__mro__):
        if name in owner.__dict__:
            member = owner.__dict__[name]
            home = _home(member, name)
            return Place(home, member, kind.__mro__[: index + 1] if home is Home.CLASS else ())
    inner = any(name in names_within(owner) for owner in kind.__mro__ if issubclass(owner, _SHARED_BASES))
    return Place(Home.INNER) if inner else Place(Home.OBJECT, is_plain=_holds_plainly(kind, name))


def _holds_plainly(kind: type, name: str) -> bool:
    return SORTS.of_kind(kind) is Sort.INSTANCE and name != "__dict__" and not is_used_unseen(kind)


def is_used_unseen(kind: type) -> bool:
    """Whether instances have methods in the standard library; a mere collection of names has none."""
    return is_trusted(kind.__module__) and kind is not types.SimpleNamespace


_SHARED_BASES = (
    *(queue.Queue, threading.Condition, threading.Barrier, threading.Event, threading.Semaphore, Future),
    *(asyncio.Queue, asyncio.Lock, asyncio.Condition, asyncio.Event, asyncio.Semaphore, asyncio.Barrier),
)
"""Classes of the standard library that programs derive from, and whose methods are not rewritten."""


def names_within(owner: type) -> frozenset[str]:
    """The names that the methods of a library class use, its attributes among them."""
    if SORTS.is_ours(owner):
        return frozenset()
    functions = (member for member in vars(owner).values() if isinstance(member, types.FunctionType))
    return frozenset(name for function in functions for name in function.__code__.co_names)


def _home(member: object, name: str) -> Home:
    if isinstance(member, types.MemberDescriptorType) or any(member is each for each in _OF_EXCEPTIONS):
        return Home.OBJECT
    if isinstance(member, (*_METHODS, _FIELD_OF_TUPLE)):
        return Home.CODE
    if isinstance(member, property):
        return Home.CODE if all(map(_publishes, (member.fget, member.fset, member.fdel))) else Home.UNSEEN
    if isinstance(member, functools.cached_property):
        return Home.CACHED
    if not hasattr(type(member), "__get__") and not hasattr(type(member), "__set__"):
        return Home.CLASS
    return Home.CODE if name.startswith("__") or SORTS.is_ours(type(member)) else Home.UNSEEN


def _publishes(getter: object) -> bool:
    return getter is None or (isinstance(getter, types.FunctionType) and is_instrumented(getter))


def held_by(subject: object) -> dict[str, object] | None:
    """The dictionary of an object's attributes, which is also what `vars` gives; None if it has slots only."""
    if type(subject).__dictoffset__ == 0:
        return None
    if SORTS.odd and type(subject) in SORTS.odd:
        return _held_in_truth(subject)
    held: dict[str, object] = object.__getattribute__(subject, "__dict__")
    return held


def _held_in_truth(subject: object) -> dict[str, object]:
    """The dictionary behind what the class shows in its place; only the interpreter itself leads to it."""
    import ctypes  # noqa: PLC0415 - hardly ever needed

    find = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.c_void_p)(
        ("PyObject_GenericGetDict", ctypes.pythonapi)
    )
    held: dict[str, object] = find(subject, None)
    return held


def number_of_fields(execution: Execution, subject: object) -> ObjectId:
    """The number that stands for the attributes of an object.

    It is that of the dictionary, so that attributes and items of `vars(subject)` are the same thing, as they
    are for objects that share one dictionary.
    """
    if type(subject).__dictoffset__ == 0:
        return execution.number(subject)
    if SORTS.odd and type(subject) in SORTS.odd:
        return execution.number(subject, id(_held_in_truth(subject)))
    return execution.number(subject, id(_attribute(subject, "__dict__")))


def number_of_class(execution: Execution, owner: type) -> ObjectId:
    """The same for the attributes of a class, which others may read by way of its `__dict__`."""
    return execution.number(owner, id(gc.get_referents(vars(owner))[0]))


_attribute = object.__getattribute__
