"""Objects of the standard library that keep a state of their own.

The code of `logging`, `contextlib` and `weakref` needs no rewriting, but what its methods do to their object is an
operation like any other: `logger.setLevel` writes, `table.get` reads. Where a method takes several steps, and
others could come in between, the verdict is weakened if the object is shared.
"""

import contextlib
import logging
import sys
import types
import weakref
from collections.abc import Iterator

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, ObjectId, Operation
from racehound.instrument.attributes import number_of_fields
from racehound.instrument.foreign import unobserved
from racehound.instrument.kinds import is_a, is_instrumented
from racehound.instrument.parts import bound_to
from racehound.instrument.published import PublishedCall, ReadingCall
from racehound.instrument.said import note_said
from racehound.instrument.weak import WEAK_TABLES, weak_effects

_OF_GENERATORS = contextlib._GeneratorContextManagerBase  # noqa: SLF001 - has no other name
KEEPERS = (
    *(logging.Filterer, contextlib.ExitStack, contextlib.AsyncExitStack, _OF_GENERATORS, weakref.finalize),
    *WEAK_TABLES,
)
KEEPING_MODULES = frozenset({"contextlib", "weakref", "_weakrefset"})

_AT_ONCE = frozenset({"get", "__getitem__", "__setitem__", "__delitem__", "__contains__", "__init__"})
_CHANGES_LOGGING = ("set", "add", "remove", "close", "disable", "basicConfig", "captureWarnings", "__init__")


def is_keeper(subject: object) -> bool:
    return is_a(subject, KEEPERS)


def makes_context(function: types.FunctionType) -> bool:
    """Whether it is what `contextmanager` makes of a generator of the program: it bears the name of that one."""
    if function.__globals__ is not vars(contextlib) or function.__module__ == contextlib.__name__:
        return False
    behind = [cell.cell_contents for cell in function.__closure__ or ()]
    return bool(behind) and all(isinstance(item, types.FunctionType) and is_instrumented(item) for item in behind)


def is_made_on_the_spot(subject: object) -> bool:
    """Whether it is the context of one `with` alone; to be asked by a hook."""
    return is_a(subject, _OF_GENERATORS) and sys.getrefcount(subject) <= _LAST_REFERENCE


_LAST_REFERENCE = 3
"""What `sys.getrefcount` says of an object that only a hook and the function it calls can see."""


class KeeperCall(PublishedCall):
    """A method of such an object."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        del kwargs
        owner = bound_to(self.function)
        subject = args[0] if owner is None and args else owner
        if is_keeper(subject):
            publish_keeper(execution, self.site, subject, self.function.__name__)


class ClosingCall(KeeperCall):
    """`callback` of an ExitStack: what it is given will be called by code that publishes nothing."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        if args and CONTROL.here() is not None:
            args = (CONTROL.published(args[0]), *args[1:])
        return super().__call__(*args, **kwargs)


class AwaitingEnd(PublishedCall):
    """Something is to be called when an object has ended."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        if len(args) > 1 and args[1] is not None and CONTROL.here() is not None:
            args = (args[0], CONTROL.published(args[1]), *args[2:])
        return self.function(*args, **kwargs)


class LoggingCall(ReadingCall):
    """A function of `logging`, which writes out what it is given, by the leave of a logger."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        owner = bound_to(self.function) or logging.root  # which functions of the module speak for
        if is_keeper(owner):
            publish_keeper(execution, self.site, owner, self.function.__name__)
        super().publish(execution, args, kwargs)
        note_said(execution, args)


class WeakCall(PublishedCall):
    """Following a weak reference."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        del args, kwargs
        reference, task = self.function, execution.running

        def effects() -> tuple[Effect, ...]:
            return weak_effects(execution, reference, task)

        execution.step(Operation(Kind.READ, effects(), site=self.site, subject=reference, refresh=effects))


def publish_keeper(execution: Execution, site: int, subject: object, method: str) -> None:
    """Say what a method is about to do to its own object."""
    if is_a(subject, logging.Filterer):
        writes = method.startswith(_CHANGES_LOGGING)
        numbers = {number for each in _consulted(subject) for number in _numbers(execution, each)}
    else:
        writes = True
        numbers = {execution.number(subject), number_of_fields(execution, subject)}
        if not (is_a(subject, WEAK_TABLES) and method in _AT_ONCE):
            for number in numbers:
                execution.opaque(number, unobserved(subject))
    own = tuple(Effect(number, WHOLE, writes) for number in sorted(numbers))
    task = execution.running

    def effects() -> tuple[Effect, ...]:
        return own + (weak_effects(execution, subject, task) if is_a(subject, WEAK_TABLES) else ())

    kind = Kind.WRITE if writes else Kind.READ
    execution.step(
        Operation(
            kind, effects(), site=site, subject=subject, refresh=effects if is_a(subject, WEAK_TABLES) else None
        )
    )


def _consulted(logger: object) -> Iterator[object]:
    """A logger and those above it, which it asks for level and handlers."""
    while logger is not None:
        yield logger
        logger = vars(logger).get("parent")


def _numbers(execution: Execution, subject: object) -> Iterator[ObjectId]:
    yield number_of_fields(execution, subject)
    if is_a(subject, logging.Logger):
        yield execution.number(logging.root.manager)
    for name in ("handlers", "filters"):
        if name in vars(subject):
            yield execution.number(vars(subject)[name])
