"""What an event loop is given to do: whose step a callback is, what it holds, and the tasks behind it."""

import asyncio
import inspect
from asyncio import events
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from types import MethodType
from typing import Any

OWN_MODULES = ("asyncio.", "concurrent.futures.", "racehound.primitives.")
IsHeld = Callable[["asyncio.Task[Any]"], bool]
"""Whether the program keeps hold of a task."""


def is_unbegun(item: "Coroutine[Any, Any, Any]") -> bool:
    """True also for the end of an asynchronous generator, of which Python 3.13 tells if nobody waits for it."""
    return not inspect.iscoroutine(item) or inspect.getcoroutinestate(item) == inspect.CORO_CREATED


def end_quietly(owner: "asyncio.Task[Any]") -> None:
    owner._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001 - nobody is to hear of it
    coroutine = owner.get_coro()
    if inspect.iscoroutine(coroutine):
        with suppress(BaseException):
            coroutine.close()


def held_by(handle: events.Handle) -> Iterable[object]:
    """What a callback is to be given, and what it holds itself."""
    closure = getattr(handle._callback, "__closure__", None)  # type: ignore[attr-defined]  # noqa: SLF001 - what it will call
    return *(handle._args or ()), *(cell.cell_contents for cell in closure or ())  # noqa: SLF001 - with what


def is_unheard(owner: "asyncio.Task[Any]") -> bool:
    """Whether a task has ended with an exception that nobody asked for."""
    return not owner.cancelled() and bool(owner._log_traceback)  # noqa: SLF001 - what asyncio itself goes by


def name_of(owner: "asyncio.Task[Any]") -> str:
    coroutine = owner.get_coro()
    return coroutine.__qualname__ if inspect.iscoroutine(coroutine) else owner.get_name()


def task_to_go_on(callback: Callable[..., object]) -> "asyncio.Task[Any] | None":
    """The task whose next step the callback is, if it is one."""
    owner = getattr(callback, "__self__", None)
    return owner if isinstance(owner, asyncio.Task) and not isinstance(callback, MethodType) else None


def is_own(callback: Callable[..., object]) -> bool:
    """Whether the callback belongs to asyncio, and not to the program."""
    if isinstance(getattr(callback, "__self__", None), asyncio.Future):
        return False  # a method of a future, which only a program registers
    return f"{getattr(callback, '__module__', None)}.".startswith(OWN_MODULES)
