"""What sort of thing an object is, as far as publishing its operations goes.

The answer depends on the type alone and is remembered, so that a hook costs one dictionary look-up.
"""

import _queue
import _thread
import array
import collections
import datetime as dt
import decimal
import fractions
import pathlib
import re
import sys
import threading
import types
from collections.abc import Mapping
from enum import Enum, IntEnum
from typing import Any, Final
from uuid import UUID

from racehound.engine.control import CONTROL
from racehound.engine.mirror import Mirror


class Sort(IntEnum):
    PLAIN = 0
    """Cannot change: numbers, text, immutable values."""
    INSTANCE = 1
    """Has attributes of its own and methods that publish."""
    CONTAINER = 2
    """A built-in container, or a class derived from one."""
    VIEW = 3
    """Keys, values or items of a dictionary, or the whole for those who may not write to it."""
    MODULE = 4
    CLASS = 5
    LOCK = 6
    """An original lock that a mirror stands for."""
    MIRROR = 7
    """A lock under control."""
    FOREIGN = 8
    """An object whose state we cannot see: implemented in C, or in code that is not instrumented."""
    FUNCTION = 9
    """Code, which publishes by itself; it may carry attributes."""
    TUPLE = 10
    """Cannot change, but what it holds can."""


CONTAINERS = (dict, list, set, collections.deque, bytearray, array.array)
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()), types.MappingProxyType)
PLAIN_TYPES: tuple[type, ...] = (
    *(
        int,
        float,
        complex,
        bool,
        str,
        bytes,
        range,
        slice,
        type(None),
        type(...),
        type(NotImplemented),
        property,
        super,
    ),
    *(types.BuiltinFunctionType, types.MethodWrapperType, types.CodeType, staticmethod, classmethod),
    *(types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType),
    *(types.GetSetDescriptorType, types.MemberDescriptorType, types.GenericAlias, types.UnionType),
    *(re.Pattern, re.Match, dt.date, dt.time, dt.timedelta, dt.tzinfo),
    *(decimal.Decimal, fractions.Fraction, UUID, pathlib.PurePath, Enum, threading.local),
)
LOCKS = (type(_thread.allocate_lock()), _thread.RLock, _queue.SimpleQueue)
ORDER: tuple[tuple[Any, Sort], ...] = (
    (CONTAINERS, Sort.CONTAINER),
    (VIEWS, Sort.VIEW),
    (types.ModuleType, Sort.MODULE),
    (type, Sort.CLASS),
    (LOCKS, Sort.LOCK),
    (Mirror, Sort.MIRROR),
    ((types.FunctionType, types.MethodType), Sort.FUNCTION),
    ((tuple, frozenset), Sort.TUPLE),
    (BaseException, Sort.INSTANCE),
)
OURSELVES: Final = __name__.partition(".")[0]

INSTRUMENTED: Final = "__rh_instrumented__"
"""Global that the loader sets in each module it rewrites."""


def is_instrumented(function: types.FunctionType) -> bool:
    """Whether the body publishes its operations; generated code such as a dataclass's `__init__` does not."""
    return is_instrumented_code(function.__code__, function.__globals__)


def is_instrumented_code(code: types.CodeType, names: Mapping[str, object]) -> bool:
    """The same of code that runs with these globals."""
    return names.get(INSTRUMENTED) == code.co_filename


def is_a(subject: object, kinds: Any) -> bool:
    """`isinstance` for objects of the program, whose `__class__` may be code of theirs."""
    return issubclass(type(subject), kinds)


_DICTIONARIES = (types.GetSetDescriptorType, types.MemberDescriptorType)
"""What the interpreter itself gives a class under the name of `__dict__`."""


class SortTable:
    def __init__(self) -> None:
        self._known: dict[type, Sort] = {}
        self.homes: dict[tuple[type, str], Any] = {}
        """Where instances of a class find an attribute; see `attributes`."""
        self.voices: dict[tuple[type, str], Any] = {}
        """How a special method of a class makes itself heard; see `voices`."""
        self.odd: set[type] = set()
        """Classes that show something of their own under the name of `__dict__`."""

    def of(self, subject: object) -> Sort:
        known = self._known.get(type(subject))
        return self.of_kind(type(subject)) if known is None else known

    def of_kind(self, kind: type) -> Sort:
        """The sort of the instances of a class."""
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = self._judge(kind)
        return known

    def _judge(self, kind: type) -> Sort:
        shown = (vars(base).get("__dict__") for base in kind.__mro__)
        if not all(isinstance(member, _DICTIONARIES) for member in shown if member is not None):
            self.odd.add(kind)
        for bases, sort in ORDER:
            if issubclass(kind, bases):
                return sort
        if self.is_ours(kind):
            return Sort.INSTANCE
        own = kind.__module__.partition(".")[0] == OURSELVES
        return Sort.PLAIN if own or issubclass(kind, PLAIN_TYPES) else Sort.FOREIGN

    def forget(self) -> None:
        """Judge anew: modules have become instrumented or ceased to be, or a class has changed."""
        self._known.clear()
        self.odd.clear()
        self.homes.clear()
        self.voices.clear()

    def is_ours(self, kind: type) -> bool:
        """Whether the class is defined in instrumented code, or in code that is so once it is discovered."""
        module = sys.modules.get(kind.__module__)
        if module is None:
            return False
        if CONTROL.discover is not None and INSTRUMENTED not in vars(module):
            CONTROL.discover(kind)
        return INSTRUMENTED in vars(module)


SORTS = SortTable()
"""Hooks have nothing but a site number, so what they know of types is a process-wide fact."""
