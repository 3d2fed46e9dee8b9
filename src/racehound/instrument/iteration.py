"""Iterators whose steps are published.

The native iterator does the work, made when the program asks for it; so a dictionary that grows meanwhile fails
at the step at which it fails in plain code.
"""

import itertools
import operator
import sys
import types
from collections.abc import AsyncIterator, Iterator
from typing import Any, SupportsIndex

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument.foreign import unobserved
from racehound.instrument.generators import ask, speaks_for_itself
from racehound.instrument.kinds import SORTS, Sort
from racehound.instrument.looking import look, publish_look
from racehound.instrument.parts import underlying
from racehound.instrument.voices import ITERATION, Voice, voice

_LAST_REFERENCE = 4
"""What `sys.getrefcount` says of an object that only a hook and the function it calls can see."""

_ATOMIC = frozenset({itertools.count, itertools.repeat})
"""Iterators that run no other code and stand on nothing else."""


class StepIterator:
    """Publishes each step: a read of the container, or a change of an iterator that may be shared."""

    __slots__ = ("_container", "_iterator", "_site", "_unpacked")

    def __init__(self, site: int, container: object, iterator: Iterator[object], *, unpacked: bool) -> None:
        self._site = site
        self._container = container
        self._iterator = iterator
        self._unpacked = unpacked

    def __iter__(self) -> "StepIterator":
        return self

    def __next__(self) -> object:
        item = advance(self._site, self._container, self._iterator)
        if self._unpacked:
            publish_unpacking(self._site, item)
        return item

    def __length_hint__(self) -> int:
        return operator.length_hint(self._iterator)

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        return self._iterator.__reduce_ex__(protocol)

    def __getattr__(self, name: str) -> object:
        return getattr(self._iterator, name)


class LateIterator:
    """The same for an asynchronous iterator: it is in use from the request for a step until the step is taken."""

    __slots__ = ("_iterator", "_site")

    def __init__(self, site: int, iterator: AsyncIterator[object]) -> None:
        self._site = site
        self._iterator = iterator

    def __aiter__(self) -> "LateIterator":
        return self

    async def __anext__(self) -> object:
        self._publish()
        try:
            return await anext(self._iterator)
        finally:
            self._publish()

    def _publish(self) -> None:
        execution = CONTROL.here()
        if execution is not None and not execution.aborting:
            iterator = self._iterator
            if not isinstance(iterator, types.AsyncGeneratorType):
                execution.opaque(execution.number(iterator), unobserved(iterator))
            effect = Effect(execution.number(iterator), WHOLE, writes=True)
            execution.step(Operation(Kind.ITERATE, (effect,), site=self._site, subject=iterator))


def stepwise_later(site: int, iterable: object) -> object:
    """The asynchronous iterable, publishing each step unless its own code does so or nobody else has it."""
    if SORTS.of(iterable) is not Sort.FOREIGN or _is_unshared_iterator(iterable):
        return iterable
    return LateIterator(site, aiter(iterable))  # type: ignore[arg-type]  # the program under proof knows


def advance(site: int, container: object, iterator: Iterator[object], *default: object) -> object:
    """The next item of an iterator through a container, or of one that may be shared itself."""
    execution = CONTROL.here()
    if execution is not None and speaks_for_itself(iterator):
        return ask(execution, site, iterator, *default)
    publish_step(site, container)
    return next(iterator, *default)


def publish_step(site: int, container: object) -> None:
    execution = CONTROL.here()
    if execution is not None and container is not None:
        effects = _step_effects(execution, container)
        execution.step(Operation(Kind.ITERATE, effects, site=site, subject=container))


def _step_effects(execution: Execution, container: object) -> tuple[Effect, ...]:
    if type(container) in _ATOMIC:
        return (Effect(execution.number(container), WHOLE, writes=True),)
    if SORTS.of(container) is Sort.FOREIGN:
        return look(execution, (container,), ITERATION, deep=False)
    return (Effect(execution.number(container), WHOLE, writes=False),)


def publish_unpacking(site: int, item: object, *, deep: bool = True) -> None:
    """An item that is about to be taken apart."""
    execution = CONTROL.here()
    if execution is not None:
        publish_look(execution, site, (item,), ITERATION, deep=deep)


def stepwise(site: int, iterable: object, *, unpacked: bool = False) -> object:
    """The iterable, publishing each step if that reads or changes something that could be shared."""
    source = underlying(iterable) if SORTS.of(iterable) is Sort.VIEW else iterable
    sort = SORTS.of(source)
    if _is_walked_natively(source, sort):
        publish_step(site, source)
        return StepIterator(site, source, iter(iterable), unpacked=unpacked)  # type: ignore[call-overload]
    if sort is Sort.FOREIGN and not _is_unshared_iterator(iterable):
        if not hasattr(type(iterable), "__next__"):
            publish_step(site, source)
        iterator = iter(iterable)  # type: ignore[call-overload]
        return StepIterator(site, source, iterator, unpacked=unpacked)
    if sort is Sort.INSTANCE and voice(type(source), ITERATION) is Voice.UNSEEN:
        publish_unpacking(site, source)
    if unpacked:
        return StepIterator(site, None, iter(iterable), unpacked=True)  # type: ignore[call-overload]
    return iterable


def _is_walked_natively(source: object, sort: Sort) -> bool:
    """Whether a native iterator walks through it."""
    by_code = isinstance(getattr(type(source), "__iter__", None), types.FunctionType)
    return sort is Sort.CONTAINER and not by_code


def _is_unshared_iterator(iterable: object) -> bool:
    """Whether nobody but the loop that asks has the iterator, such as a generator called in its head."""
    steps = hasattr(type(iterable), "__next__") or hasattr(type(iterable), "__anext__")
    return steps and sys.getrefcount(iterable) <= _LAST_REFERENCE


def publish_next(site: int, iterator: object) -> None:
    """Somebody is about to take one step of an iterator by hand."""
    if SORTS.of(iterator) is Sort.FOREIGN:
        publish_step(site, iterator)
