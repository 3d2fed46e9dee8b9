"""Calls into code that does not publish its own operations.

Instrumented functions are called as they are. For built-in and foreign functions the call itself becomes the
operation: what is known of the function says which of its arguments it reads or writes; of what is not known
the worst is assumed, and if such an argument turns out to be shared, the verdict is weakened.
"""

import bisect
import functools
import heapq
import importlib
import itertools
import types
from collections.abc import Callable, Iterable, Iterator

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument import containers
from racehound.instrument.kinds import SORTS, Sort, is_instrumented

Function = Callable[..., object]

LOOKS_AT_NOTHING: frozenset[object] = frozenset(
    {isinstance, issubclass, id, type, callable, object, next, property, classmethod, staticmethod, super, range}
)
READS_SHALLOW: frozenset[object] = frozenset(
    {len, list, tuple, set, frozenset, dict, sorted, sum, min, max, any, all, bool, bytes, bytearray}
)
READS_DEEP: frozenset[object] = frozenset({str, repr, format, print, hash, ascii})
LAZY: frozenset[object] = frozenset(
    {enumerate, zip, map, filter, itertools.chain, itertools.islice, itertools.takewhile, itertools.dropwhile}
)
CHANGES_FIRST: frozenset[object] = frozenset(
    {heapq.heappush, heapq.heappop, heapq.heapify, heapq.heapreplace, heapq.heappushpop}
    | {bisect.insort, bisect.insort_left, bisect.insort_right}
)
READS_FIRST: frozenset[object] = frozenset({bisect.bisect, bisect.bisect_left, bisect.bisect_right})

TRUSTED_MODULES = frozenset(
    [
        "abc",
        "contextlib",
        "contextvars",
        "enum",
        "functools",
        "inspect",
        "logging",
        "queue",
        "sys",
        "threading",
        "types",
        "typing",
        "warnings",
        "weakref",
    ]
)
"""Their functions look at the calling frame, or touch nothing of ours but under a lock that is published."""

TRUSTED_PACKAGES = ("asyncio.", "concurrent.futures.", "racehound.primitives.")

TEXT_METHODS = frozenset({"join", "format", "format_map"})


class ContainerProxy:
    """Stands for a container during one attribute look-up, so that its methods are published when called."""

    __slots__ = ("_site", "_subject")

    def __init__(self, site: int, subject: object) -> None:
        self._site = site
        self._subject = subject

    def __getattribute__(self, name: str) -> object:
        subject = object.__getattribute__(self, "_subject")
        bound = getattr(subject, name)
        if isinstance(bound, types.MethodType) or not callable(bound):
            return bound
        if isinstance(subject, dict) and name in containers.VIEW_MAKERS:
            return bound
        return ContainerCall(object.__getattribute__(self, "_site"), subject, name, bound)


class PublishedCall:
    """A function that publishes what it is about to do, then does it."""

    __slots__ = ("function", "site")

    def __init__(self, site: int, function: Function) -> None:
        self.site = site
        self.function = function

    def __call__(self, *args: object, **kwargs: object) -> object:
        execution = CONTROL.here()
        if execution is not None:
            self.publish(execution, args, kwargs)
        return self.function(*args, **kwargs)

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        raise NotImplementedError

    def __getattr__(self, name: str) -> object:
        return getattr(self.function, name)

    def __eq__(self, other: object) -> bool:
        return self.function == (other.function if isinstance(other, PublishedCall) else other)

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return repr(self.function)


class ContainerCall(PublishedCall):
    """A method of a built-in container."""

    __slots__ = ("method", "subject")

    def __init__(self, site: int, subject: object, method: str, bound: Function) -> None:
        super().__init__(site, bound)
        self.subject = subject
        self.method = method

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        kind, effects = containers.call_effects(execution, self.subject, self.method, args)
        if any(isinstance(item, Iterator) for item in args) or kwargs.get("key") is not None:
            execution.caveat(f"`{self.method}` runs other code halfway through")
        extra = _read_effects(execution, args[:1] if kind is Kind.READ else args)
        label = f"{self.method}({', '.join(map(_short, args))})"
        execution.step(Operation(kind, (*effects, *extra), site=self.site, label=label, subject=self.subject))


class ReadingCall(PublishedCall):
    """A function that only looks at its arguments, at once."""

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        deep = self.function in READS_DEEP or isinstance(self.function, types.BuiltinMethodType)
        effects = _read_effects(execution, (*args, *kwargs.values()), deep=deep)
        if effects:
            execution.step(Operation(Kind.READ, effects, site=self.site, subject=args[0] if args else None))


class ChangingCall(PublishedCall):
    """A function that changes its first argument, at once."""

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        del kwargs
        effects = tuple(Effect(execution.number(item), WHOLE, writes=True) for item in args[:1])
        execution.step(Operation(Kind.WRITE, effects, site=self.site, subject=args[0] if args else None))


class ForeignCall(PublishedCall):
    """Anything else: may do anything to whatever it is given."""

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        owner = getattr(self.function, "__self__", None)
        effects: list[Effect] = []
        for item in (owner, *args, *kwargs.values()):
            sort = SORTS.of(item)
            if sort not in (Sort.CONTAINER, Sort.VIEW, Sort.INSTANCE, Sort.FOREIGN):
                continue
            subject = containers.underlying(item) if sort is Sort.VIEW else item
            number = execution.number(subject)
            name = getattr(self.function, "__qualname__", repr(self.function))
            execution.opaque(
                number, f"`{name}` uses a shared {type(subject).__qualname__} and cannot be looked into"
            )
            effects.append(Effect(number, WHOLE, writes=True))
        if effects:
            execution.step(Operation(Kind.CALL, tuple(effects), site=self.site, subject=owner))


class LazyCall:
    """A function that returns an iterator over its arguments: each step is published when it is taken."""

    __slots__ = ("function", "site")

    def __init__(self, site: int, function: Function) -> None:
        self.site = site
        self.function = function

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self.function(*(stepwise(self.site, item) for item in args), **kwargs)


def _read_effects(execution: Execution, args: Iterable[object], *, deep: bool = False) -> tuple[Effect, ...]:
    effects: list[Effect] = []
    for item in args:
        sort = SORTS.of(item)
        if sort is Sort.VIEW:
            effects.extend(containers.read_whole(execution, containers.underlying(item)))
        elif sort is Sort.CONTAINER:
            inner = containers.nested(item) if deep else [item]
            effects.extend(containers.read_whole(execution, part)[0] for part in inner or [item])
    return tuple(effects)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 30 else text[:27] + "..."


def plan_call(execution: Execution, site: int, function: object) -> object:
    """The function itself where it publishes on its own, else a stand-in that publishes for it."""
    if isinstance(function, types.MethodType):
        inner = function.__func__
        return function if _speaks_for_itself(inner) else ForeignCall(site, function)
    if isinstance(function, types.FunctionType):
        return function if _speaks_for_itself(function) else ForeignCall(site, function)
    if isinstance(function, PublishedCall | LazyCall | functools.partial) or not callable(function):
        return function
    if isinstance(function, type):
        return CONTROL.stand_ins.get(function) or _plan_class(site, function)
    if isinstance(function, types.BuiltinFunctionType):
        return CONTROL.stand_ins.get(function) or _plan_builtin(execution, site, function)
    sort = SORTS.of(function)
    return function if sort is Sort.INSTANCE else ForeignCall(site, function)


def _speaks_for_itself(function: object) -> bool:
    if not isinstance(function, types.FunctionType):
        return False
    if CONTROL.discover is not None and not is_instrumented(function):
        CONTROL.discover(function)
    if is_instrumented(function):
        return True
    return is_trusted(function.__module__)


def is_trusted(module: str | None) -> bool:
    """Whether what the module does is published by the primitives it uses."""
    return module is not None and (module in TRUSTED_MODULES or module.startswith(TRUSTED_PACKAGES))


def _plan_class(site: int, kind: type) -> object:
    if kind in LOOKS_AT_NOTHING or issubclass(kind, BaseException):
        return kind
    if kind in READS_SHALLOW or kind in READS_DEEP:
        return ReadingCall(site, kind)
    if kind in LAZY or kind is reversed:
        return LazyCall(site, kind) if kind is not reversed else functools.partial(_reversed, site)
    if SORTS.is_ours(kind) or is_trusted(kind.__module__):
        return kind
    return ForeignCall(site, kind)


def _plan_builtin(execution: Execution, site: int, function: types.BuiltinFunctionType) -> object:
    special = _SPECIAL.get(function)
    if special is not None:
        return functools.partial(special, execution, site)
    if function in LOOKS_AT_NOTHING:
        return function
    if function in READS_SHALLOW or function in READS_DEEP or function in READS_FIRST:
        return ReadingCall(site, function)
    if function in CHANGES_FIRST:
        return ChangingCall(site, function)
    owner = function.__self__
    if isinstance(owner, dict) and function.__name__ in containers.VIEW_MAKERS:
        return function
    if isinstance(owner, str | bytes):
        return ReadingCall(site, function) if function.__name__ in TEXT_METHODS else function
    if SORTS.of(owner) is Sort.PLAIN or is_trusted(getattr(owner, "__name__", "")):
        return function
    return ForeignCall(site, function)


# -- functions that need a word of their own -------------------------------------------------------


def stepwise(site: int, iterable: object) -> object:
    """The iterable, publishing each step if it is a built-in container or a view of one."""
    execution = CONTROL.here()
    if execution is None:
        return iterable
    sort = SORTS.of(iterable)
    if sort is Sort.CONTAINER and not isinstance(type(iterable).__iter__, types.FunctionType):  # type: ignore[attr-defined]
        return steps_of(site, lambda: iter(iterable), iterable)  # type: ignore[call-overload]
    if sort is Sort.VIEW:
        return steps_of(site, lambda: iter(iterable), containers.underlying(iterable))  # type: ignore[call-overload]
    return iterable


def steps_of(site: int, make: Callable[[], Iterator[object]], container: object) -> Iterator[object]:
    """Publishes the creation of an iterator and each of its steps."""
    _publish_step(site, container)
    iterator = make()
    while True:
        _publish_step(site, container)
        try:
            item = next(iterator)
        except StopIteration:
            return
        yield item


def _publish_step(site: int, container: object) -> None:
    execution = CONTROL.here()
    if execution is not None:
        effects = containers.read_whole(execution, container)
        execution.step(Operation(Kind.ITERATE, effects, site=site, subject=container))


def _iter(execution: Execution, site: int, subject: object, *sentinel: object) -> object:
    del execution
    return iter(subject, *sentinel) if sentinel else iter(stepwise(site, subject))  # type: ignore[call-overload]


def _reversed(site: int, subject: object) -> object:
    if SORTS.of(subject) is not Sort.CONTAINER:
        return reversed(subject)  # type: ignore[call-overload]
    return steps_of(site, lambda: reversed(subject), subject)  # type: ignore[call-overload]


def _hooks() -> types.ModuleType:
    return importlib.import_module("racehound.instrument.hooks")  # which is built on this module


def _getattr(execution: Execution, site: int, subject: object, name: str, *default: object) -> object:
    del execution
    return getattr(_hooks().load(site, subject, name), name, *default)


def _hasattr(execution: Execution, site: int, subject: object, name: str) -> bool:
    del execution
    return hasattr(_hooks().load(site, subject, name), name)


def _setattr(execution: Execution, site: int, subject: object, name: str, new: object) -> None:
    del execution
    setattr(_hooks().store(site, subject, name), name, new)


def _delattr(execution: Execution, site: int, subject: object, name: str) -> None:
    del execution
    delattr(_hooks().delete(site, subject, name), name)


_SPECIAL: dict[object, Function] = {
    iter: _iter,
    getattr: _getattr,
    hasattr: _hasattr,
    setattr: _setattr,
    delattr: _delattr,
}
