"""What goes by the name of a lock in a package that is not installed: it keeps all others out.

Whom the real one lets in is not known. Were it made up to let everybody in, what it guards would be called a race.
"""

import asyncio
import functools
import inspect
import re
import threading
from collections.abc import Callable, Generator
from typing import Any, ClassVar, Final, Self
from weakref import WeakKeyDictionary

from racehound.engine.control import CONTROL

_EXCLUDING: Final = re.compile(r"(?<![bc])lock|mutex|semaphore|synchron|exclusive|critical|limiter")
_GIVING_BACK: Final = re.compile(r"unlock|release")
_TAKING: Final = re.compile(r"acquire|^lock$")
_TURNS: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[int, asyncio.Lock]]] = WeakKeyDictionary()
"""By loop and lock: no lock of asyncio serves two loops."""


class Doubts:
    """What was called amidst what is raced and goes by the name of a lock, and what was held as one."""

    def __init__(self) -> None:
        self._called: set[str] = set()
        self._held: set[str] = set()

    def note_call(self, path: str) -> None:
        if CONTROL.execution is not None:
            self._called.add(path)

    def note_hold(self, path: str) -> None:
        self._held.add(path)

    @property
    def never_held(self) -> list[str]:
        """What may have kept others out by a mere call."""
        return sorted(self._called - self._held)


DOUBTS: Final = Doubts()


class _Done:
    """What may be awaited, or left alone."""

    def __await__(self) -> Generator[Any, None, None]:
        yield from ()


class AbsentLock:
    """A lock, what makes one, and a decorator that holds one, all in one: which it is, its use tells."""

    path: ClassVar = "lock"

    def __init__(self, *args: object, **details: object) -> None:
        del args, details
        is_given_back_by_others = "semaphore" in self.path.lower()
        self._lock: Any = threading.Lock() if is_given_back_by_others else threading.RLock()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if _GIVING_BACK.search(name):
            return self._give_back
        return self._take if _TAKING.search(name) else self

    def __call__(self, *args: Any, **details: Any) -> Any:
        if len(args) == 1 and not details and inspect.isfunction(args[0]):
            return _holding(self, args[0])
        DOUBTS.note_call(self.path)
        return self

    def _take(self, *args: object, **details: object) -> Any:
        """Coroutines await it."""
        del args, details
        if _runs_in_loop():
            return self.__aenter__()
        self.__enter__()
        return True

    def _give_back(self, *args: object, **details: object) -> Any:
        del args, details
        if _runs_in_loop() and self._turn().locked():
            self._turn().release()
        elif not _runs_in_loop():
            self._lock.release()
        return _Done()

    def __enter__(self) -> Self:
        DOUBTS.note_hold(self.path)
        self._lock.acquire()
        return self

    def __exit__(self, *raised: object) -> None:
        self._lock.release()

    async def __aenter__(self) -> Self:
        DOUBTS.note_hold(self.path)
        await self._turn().acquire()
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._turn().release()

    def _turn(self) -> asyncio.Lock:
        turns = _TURNS.setdefault(asyncio.get_running_loop(), {})
        return turns.setdefault(id(self), asyncio.Lock())

    def __repr__(self) -> str:
        return self.path


def keeps_others_out(name: str) -> bool:
    """Whether something of this name may let in one at a time."""
    return _EXCLUDING.search(name.lower()) is not None


def lock_named(path: str) -> Any:
    """A class of locks; of what is no class, one and the same for all who ask for it."""
    name = path.rpartition(".")[2]
    return _class_named(path) if name[:1].isupper() and not name.isupper() else _the_one(path)


def _class_named(path: str) -> type[AbsentLock]:
    return type(path.rpartition(".")[2], (AbsentLock,), {"__module__": __name__, "path": path})


@functools.cache
def _the_one(path: str) -> AbsentLock:
    return _class_named(path)()


def _runs_in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _holding(lock: AbsentLock, function: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def alone(*args: Any, **details: Any) -> Any:
            async with lock:
                return await function(*args, **details)

        return alone

    @functools.wraps(function)
    def by_itself(*args: Any, **details: Any) -> Any:
        with lock:
            return function(*args, **details)

    return by_itself
