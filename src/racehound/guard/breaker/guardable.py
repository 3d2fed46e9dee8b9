"""What a guard can go around: functions and coroutine functions whose end it sees."""

import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def check_guardable(function: object) -> None:
    if isinstance(function, classmethod | staticmethod):
        kind = type(function).__name__
        raise TypeError(f"a {kind} is no function yet: put @{kind} above the guard, not below it")
    if not callable(function):
        raise TypeError(f"a guard goes around a function, and {function!r} cannot be called")
    if any(map(_makes_generators, (function, type(function).__call__))):
        raise TypeError("a generator runs after its call has returned: use `with breaker.permit(name)` inside it")


def hides_a_coroutine_function(function: Callable[..., object]) -> bool:
    """Whether a decorator made a plain function of it: one that runs the coroutine, or only hands it on."""
    return not is_coroutine_function(function) and inspect.iscoroutinefunction(inspect.unwrap(function))


def returning_no_coroutine(function: Callable[P, R]) -> Callable[P, R]:
    """A coroutine that is handed on has not begun yet, and would count as a success whatever becomes of it."""

    def plain_for_certain(*args: P.args, **kwargs: P.kwargs) -> R:
        result = function(*args, **kwargs)
        if inspect.iscoroutine(result):
            result.close()
            raise TypeError(
                "a plain function returned a coroutine: put the guard below the decorator that hides it"
            )
        return result

    return plain_for_certain


def _makes_generators(function: object) -> bool:
    return inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)


def is_coroutine_function(function: Callable[..., object]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
