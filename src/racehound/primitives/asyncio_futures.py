"""`asyncio.Future` and `asyncio.Task` that publish when they are used, and the rest of asyncio that uses them.

What a coroutine does to a future, a lock or a queue of asyncio belongs to the turn in which it does it. The
classes of asyncio stay what they are: their methods record that the object is touched and do their work. A
coroutine of theirs records it every time it goes on, because it may go on inside the library.
"""

import asyncio
import functools
import inspect
import types
from asyncio import tasks
from collections.abc import Callable, Coroutine, Generator
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.primitives.replacement import Replacement


def touch(subject: object, *, writes: bool = True) -> None:
    """Publish, or record in the turn that is going on, that part of the machinery is used."""
    execution = CONTROL.in_charge()
    if execution is not None and not execution.aborting:
        execution.touch(Effect(execution.number(subject), WHOLE, writes))


def use(subject: object) -> None:
    """The same for what the program names: a lock, an event, a queue."""
    execution = CONTROL.in_charge()
    if execution is not None and not execution.aborting:
        effect = Effect(execution.number(subject), WHOLE, writes=True)
        execution.step(Operation(Kind.AWAIT, (effect,), site=CONTROL.site, label=type(subject).__name__))


_SERIAL: Final = "_racehound_serial"


class _Touching:
    """Methods of a future that others may call; the event loop's own use of it needs no record."""

    __slots__ = ()
    _racehound_serial = -1

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        execution = CONTROL.in_charge()
        if execution is not None:
            setattr(self, _SERIAL, next(execution.serials))
        super().__init__(*args, **kwargs)

    def __hash__(self) -> int:
        return self._racehound_serial if self._racehound_serial >= 0 else object.__hash__(self)

    def __await__(self) -> Any:
        touch(self)
        return super().__await__()  # type: ignore[misc]  # of the future that this is mixed into

    __iter__ = __await__


_ACTS: Final = frozenset({"cancel", "set_result", "set_exception"})
"""What others hear of."""


def _touching_method(name: str, *, writes: bool) -> Callable[..., object]:
    def method(self: Any, *args: Any, **kwargs: Any) -> object:
        touch(self, writes=writes)
        if name in _ACTS and CONTROL.in_charge() is not None:
            self.get_loop().note_act()
        return getattr(super(_Touching, self), name)(*args, **kwargs)

    return functools.wraps(getattr(asyncio.Future, name))(method)


for _name in ("cancel", "set_result", "set_exception", "add_done_callback", "remove_done_callback"):
    setattr(_Touching, _name, _touching_method(_name, writes=True))
for _name in ("done", "cancelled", "result", "exception"):
    setattr(_Touching, _name, _touching_method(_name, writes=False))


class ControlledFuture(_Touching, asyncio.Future):  # type: ignore[type-arg]  # of anything
    """What the controlled event loop gives to those who ask it for a future."""


class ControlledTask(_Touching, asyncio.Task):  # type: ignore[type-arg]  # of anything
    """A coroutine on the controlled event loop."""

    def __repr__(self) -> str:
        """Without the coroutine: that of an operation is another one where it runs by itself."""
        return f"<Task {'finished' if self.done() else 'pending'} name={self.get_name()!r}>"

    def cancel(self, msg: Any = None) -> bool:
        cancelled: bool = super().cancel(msg)
        self.get_loop().hurry(self)  # type: ignore[attr-defined]  # of the controlled event loop
        return cancelled


class ControlledGathering(_Touching, tasks._GatheringFuture):  # type: ignore[name-defined,misc]  # noqa: SLF001 - what `gather` returns
    pass


# -- the primitives of asyncio ---------------------------------------------------------------------


@types.coroutine
def _touching(subject: object, inner: Coroutine[Any, Any, object]) -> Generator[Any, Any, object]:
    """Drive a coroutine of the library, recording each time it goes on."""
    resume: Callable[[], object] = functools.partial(inner.send, None)
    while True:
        try:
            use(subject)
        except BaseException:
            inner.close()
            raise
        try:
            yielded = resume()
        except StopIteration as end:
            return end.value
        try:
            sent = yield yielded
        except GeneratorExit:
            inner.close()
            raise
        except BaseException as error:  # noqa: BLE001 - handed on to the coroutine
            resume = functools.partial(inner.throw, error)
        else:
            resume = functools.partial(inner.send, sent)


def _recording(function: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def coroutine(self: object, *args: Any, **kwargs: Any) -> Any:
            return await _touching(self, function(self, *args, **kwargs))

        return coroutine

    @functools.wraps(function)
    def method(self: object, *args: Any, **kwargs: Any) -> Any:
        use(self)
        return function(self, *args, **kwargs)

    return method


_SHARED = (
    *(
        asyncio.Lock,
        asyncio.Event,
        asyncio.Condition,
        asyncio.Semaphore,
        asyncio.BoundedSemaphore,
        asyncio.Barrier,
    ),
    *(asyncio.Queue, asyncio.TaskGroup, asyncio.Timeout),
)
_QUIET = frozenset({"__init__", "__repr__", "__class_getitem__", "__init_subclass__"})


def _methods(kind: type) -> list[tuple[str, Callable[..., Any]]]:
    """What a class defines itself, but what only a method of its own calls."""
    return [
        (name, member)
        for name, member in vars(kind).items()
        if isinstance(member, types.FunctionType) and name not in _QUIET and (name[0] != "_" or name in _OUTSIDE)
    ]


_OUTSIDE = frozenset({"__aenter__", "__aexit__", "_on_task_done", "_on_timeout"})
"""Of those with an underscore, the ones that the interpreter or the event loop calls."""

REPLACEMENTS: Final = (
    *(Replacement(kind, name, _recording(method)) for kind in _SHARED for name, method in _methods(kind)),
    Replacement(tasks, "_GatheringFuture", ControlledGathering),
)
