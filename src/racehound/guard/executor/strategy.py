from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Strategy:
    """A function or coroutine function to run, with the seconds it may take once it has started.

    `asynchronous` is found out by looking at the function; state it for a callable that hides its nature,
    such as a lambda that returns a coroutine.
    """

    function: Callable[..., Any]
    timeout: float | None = None
    asynchronous: bool | None = None

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"a strategy is called, and {self.function!r} cannot be")
        if self.timeout is not None and self.timeout < 0:
            raise ValueError(f"timeout is zero seconds or more, not {self.timeout}")
        if self.asynchronous is None:
            object.__setattr__(self, "asynchronous", _returns_a_coroutine(self.function))

    @classmethod
    def of(cls, given: Strategy | Callable[..., Any]) -> Strategy:
        return given if isinstance(given, Strategy) else cls(given)


def _returns_a_coroutine(function: Callable[..., object]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(type(function), "__call__", None)  # noqa: B004 - the method is inspected, not asked for
    )
