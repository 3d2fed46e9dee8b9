"""Operations that are not meant to be one step.

Between the beginning and the end of a `with` block others may come in, in a program without any race: that is what
pools, read locks and meters are for. An operation that yields says where. Serial orders run its parts one after
the other, with those of other operations in between. When tasks overlap, a thread goes straight on, as others can
come in anywhere; on an event loop it suspends itself.
"""

import asyncio
import dis
import inspect
import types
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.scenario.blocks import Hold

PAUSE: Final = "(yield)"
"""In an expression: the place where others may come in."""


def unpaused(text: str) -> str:
    """The same in one piece, for where nobody else is there."""
    return text.replace(PAUSE, "None")


PAUSES: Final = "_racehound_pauses"
"""An attribute of coroutine functions that were written with pauses: their number."""


def parts_of(operation: Callable[..., object]) -> int:
    """Of how many parts an operation consists, as far as its code tells."""
    function = inspect.unwrap(operation)
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        return 1 + _yields(_code_of(function))
    pauses: int = getattr(function, PAUSES, 0)
    return 1 + pauses


def _code_of(function: Callable[..., object]) -> types.CodeType:
    """Of a function, or of one that is bound to something, in one of the ways that `inspect` sees through."""
    inner: Any = function
    while isinstance(inner, partial | types.MethodType):
        inner = inner.func if isinstance(inner, partial) else inner.__func__
    code: types.CodeType = inner.__code__
    return code


@lru_cache(maxsize=1024)
def _yields(code: types.CodeType) -> int:
    """How often a generator may yield; asked for in each execution."""
    if code.co_flags & inspect.CO_ASYNC_GENERATOR:
        return sum(map(_yields_to_its_caller, dis.get_instructions(code)))
    return sum(instruction.opname == "YIELD_VALUE" for instruction in dis.get_instructions(code))


def _yields_to_its_caller(instruction: dis.Instruction) -> bool:
    """In an asynchronous generator, where each `await` yields as well, to the event loop."""
    return instruction.opname == "ASYNC_GEN_WRAP" or "ASYNC_GEN_WRAP" in instruction.argrepr


UNAWAITED = "a worker is no coroutine function but returns a coroutine, which nobody awaits"


class InParts:
    """One run of an operation that yields."""

    def __init__(self, operation: Callable[[Any], Any]) -> None:
        self._operation = operation
        self._run: Generator[object, None, object] | None = None
        self._has_ended = False
        self._result: object = None

    def go_on(self, subject: object) -> None:
        """Run the next part, if there is one."""
        if self._run is None:
            self._run = CONTROL.published(self._operation)(subject)
        if not self._has_ended:
            try:
                next(self._run)
            except StopIteration as end:
                self._has_ended, self._result = True, end.value

    def finish(self, subject: object) -> object:
        """Run what is left; what the operation returns."""
        while not self._has_ended:
            self.go_on(subject)
        return self._result


def run_whole(operation: Callable[[Any], object], subject: object) -> object:
    """Run an operation with all its parts; what it returns."""
    if inspect.isgeneratorfunction(operation):
        return InParts(operation).finish(subject)
    return CONTROL.published(operation)(subject)


_HOLDS: Final[dict["asyncio.Task[Any] | None", Hold]] = {}
"""What an operation on an event loop does at its pauses, for each of the tasks that run one."""


async def pause() -> None:
    """Stands in an operation on an event loop where others may come in."""
    hold = _HOLDS.get(asyncio.current_task())
    if hold is not None:
        await hold()


async def run_on_loop(operation: Callable[[Any], Any], subject: object, hold: Hold) -> object:
    """Run an operation of any kind on the event loop; what it returns, or all that it yields if it cannot."""
    task = asyncio.current_task()
    _HOLDS[task] = hold
    try:
        if inspect.isasyncgenfunction(operation):
            return await _all_of(CONTROL.published(operation)(subject), hold)
        if inspect.isgeneratorfunction(operation):
            return await _whole(InParts(operation), parts_of(operation), subject, hold)
        result = CONTROL.published(operation)(subject)
        is_going_on = isinstance(result, asyncio.Future)  # by itself, and its caller may have better things to do
        return await result if inspect.isawaitable(result) and not is_going_on else result
    finally:
        _HOLDS.pop(task, None)


async def _all_of(items: AsyncGenerator[object, None], hold: Hold) -> list[object]:
    results: list[object] = []
    try:
        async for item in items:
            results.append(item)
            await hold()
    except GeneratorExit:
        _end(items)
        raise
    return results


def _end(items: AsyncGenerator[object, None]) -> None:
    """Nobody will go on: what the generator would still do has to wait for nothing."""
    closing = items.aclose()
    with suppress(BaseException):
        closing.send(None)
    closing.close()


async def _whole(whole: InParts, parts: int, subject: object, hold: Hold) -> object:
    for _ in range(parts - 1):
        whole.go_on(subject)
        await hold()
    return whole.finish(subject)


def note_unawaited(result: object) -> None:
    """What a thread returns nobody awaits."""
    execution = CONTROL.here()
    if inspect.iscoroutine(result) and execution is not None:
        execution.caveat(UNAWAITED)
        result.close()
