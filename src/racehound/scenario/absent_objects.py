"""What stands in for the content of a package that is not installed.

    app = Flask(__name__)                       an object
    @app.route("/visit")                        a decorator, which leaves the function as it is
    class Item(BaseModel): name: str            a base class, the objects of which have what they declare
    raise HTTPException(404)                    an exception
    await store.save(request.json["name"])      something that can be asked for anything
    with client.lock(name): ...                 a lock

Nothing is ever kept in it: what a framework keeps for one request or one thread, another must not find there. Only
what is made of a class keeps what is put into it.
"""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Generator, Iterator
from typing import Any, Final, Self

from racehound.engine.control import CONTROL
from racehound.scenario.absent_locks import keeps_others_out, lock_named

TEXT: Final = "1"
"""What a key leads to: a name or a number, as one likes."""
_BY_TYPE: Final[dict[type, object]] = {str: TEXT, int: 1, float: 1.0, bool: True, bytes: b"1"}
_BY_NAME: Final = {kind.__name__: value for kind, value in _BY_TYPE.items()}
_PLAIN: Final[dict[object, object]] = dict((*_BY_TYPE.items(), *_BY_NAME.items()))
"""By what a class declares, be it as a text."""
_RAISING: Final = frozenset({"abort"})
_MAKING_CLASSES: Final = frozenset({"dataclass", "define", "frozen", "mutable"})
_EXCEPTIONS: Final = ("Error", "Exception", "DoesNotExist", "NotFound", "Timeout", "Http404", "Exit", "Abort")


class AbsentError(Exception):
    """An exception of a package that is not installed."""

    def __init__(self, *args: object, **details: object) -> None:
        super().__init__(*args, *details.items())
        vars(self).update(details)


class Anything:
    """A function, a value or a module's variable of which nothing is known but how it was come by."""

    __slots__ = ("_args", "_depth", "_path")

    def __init__(self, path: str, depth: int = 0, args: tuple[object, ...] = ()) -> None:
        for name, value in (("_path", path), ("_depth", depth), ("_args", args)):
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return member(f"{self._path}.{name}", self._depth + 1)

    def __setattr__(self, name: str, value: object) -> None:
        """Forget it."""

    def __call__(self, *args: Any, **details: Any) -> Any:
        name = self._path.rpartition(".")[2]
        if name in _RAISING:
            raise AbsentError(*args, **details)
        if len(args) == 1 and not details and callable(args[0]) and not isinstance(args[0], Anything):
            return dataclasses.dataclass(args[0]) if name in _MAKING_CLASSES else args[0]
        if name == "get" and self._depth > 1 and CONTROL.execution is not None:
            return TEXT
        return Anything(f"{self._path}()", self._depth, (*args, *details.items()))

    def __getitem__(self, key: object) -> Any:
        return TEXT

    def __setitem__(self, key: object, value: object) -> None:
        """Forget it."""

    def __delitem__(self, key: object) -> None:
        """There is nothing to take away."""

    def __contains__(self, key: object) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    async def __aiter__(self) -> AsyncIterator[Any]:
        for each in iter(self):
            yield each

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        """Let it pass."""

    async def __aenter__(self) -> Self:
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *raised: object) -> None:
        await asyncio.sleep(0)

    def __await__(self) -> Generator[Any, None, "Anything"]:
        yield from asyncio.sleep(0).__await__()
        return self

    def __mro_entries__(self, bases: object) -> tuple[type, ...]:
        return (AbsentObject,)

    def __or__(self, other: object) -> "Anything":
        return self

    __ror__ = __or__

    def __int__(self) -> int:
        return 1

    def __float__(self) -> float:
        return 1.0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Anything) and (self._path, self._args) == (other._path, other._args)

    def __hash__(self) -> int:
        return hash(self._path)

    def __repr__(self) -> str:
        inside = ", ".join(map(repr, self._args))
        return f"{self._path.removesuffix('()')}({inside})" if self._args else self._path


class _Type(type):
    """The class of classes of an absent package: these can be asked for anything, too."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return member(f"{cls.__name__}.{name}", 1)


class AbsentObject(metaclass=_Type):
    """An object of a class of an absent package, or of one that is derived from such."""

    def __init__(self, *args: Any, **details: Any) -> None:
        del args
        owners = [vars(owner) for owner in reversed(type(self).__mro__)]
        for name, kind in (item for held in owners for item in held.get("__annotations__", {}).items()):
            if kind in _PLAIN and not any(name in held for held in owners):
                vars(self)[name] = _PLAIN[kind]
        vars(self).update(details)

    def __init_subclass__(cls, **details: Any) -> None:
        """Whatever it is told."""

    def __class_getitem__(cls, key: object) -> Any:
        return cls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return member(f"{type(self).__name__}.{name}", 1)

    def __call__(self, *args: Any, **details: Any) -> Any:
        return Anything(type(self).__name__)(*args, **details)

    def __getitem__(self, key: object) -> Any:
        return vars(self).get(f"[{key!r}]", TEXT)

    def __setitem__(self, key: object, value: object) -> None:
        vars(self)[f"[{key!r}]"] = value

    def __contains__(self, key: object) -> bool:
        return f"[{key!r}]" in vars(self)

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *raised: object) -> None:
        """Let it pass."""

    async def __aenter__(self) -> Any:
        await asyncio.sleep(0)
        return self

    async def __aexit__(self, *raised: object) -> None:
        await asyncio.sleep(0)


def member(path: str, depth: int = 0) -> Any:
    """What goes by that name: a lock, an exception, a class, or anything."""
    name = path.rpartition(".")[2]
    if keeps_others_out(name):
        return lock_named(path)
    if not name[:1].isupper() or name.isupper():
        return Anything(path, depth)
    is_exception = name.endswith(_EXCEPTIONS) or name.startswith("HTTP")
    return type(name, (AbsentError,) if is_exception else (AbsentObject,), {"__module__": __name__})
