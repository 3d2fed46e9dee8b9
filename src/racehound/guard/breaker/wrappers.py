"""What `guard` puts around a function: the cheapest form that the settings allow.

plain     nothing to measure. A clean success costs four attribute loads and two branches, no lock.
measured  a window: two readings of the clock and an append, no lock. One over time also looks whether the
          time it notes is still good.
managed   shared state, a predicate on results, a report of every success: a permit for each call.

The first two hand a call over to the third as soon as the circuit wants to be asked first, and have a twin
for functions without parameters, which spares the packing of arguments; the second also one for functions
of one parameter. Where no keywords came none are
handed on: merging the empty dictionary into a call costs more than asking for it. Their bodies are written
out and not shared, because calling a helper would cost more than all they do.
"""

import functools
import inspect
from collections.abc import Callable, Coroutine
from types import CodeType
from typing import Any, ParamSpec, TypeVar

from racehound.guard.breaker.circuit import Circuit
from racehound.guard.breaker.guardable import (
    check_guardable,
    hides_a_coroutine_function,
    is_coroutine_function,
    returning_no_coroutine,
)
from racehound.guard.breaker.permit import Permit
from racehound.guard.breaker.settings import Settings
from racehound.guard.breaker.window import FINE

P = ParamSpec("P")
R = TypeVar("R")
Maker = Callable[[Circuit, Callable[..., Any]], Callable[..., Any]]


def wrap(circuit: Circuit, function: Callable[P, R]) -> Callable[P, R]:
    check_guardable(function)
    called = returning_no_coroutine(function) if hides_a_coroutine_function(function) else function
    wrapper: Callable[P, R] = _maker(circuit, called)(circuit, called)
    return functools.wraps(function)(wrapper)


def _maker(circuit: Circuit, function: Callable[..., object]) -> Maker:
    settings = circuit.settings
    needs_permits = circuit.keeper.blocking or settings.report_successes or settings.failure_result is not None
    if is_coroutine_function(function):
        return managed_async if needs_permits or settings.window is not None else plain_async
    if needs_permits:
        return managed
    if settings.window is not None:
        if takes_no_arguments(function):
            return measured_without_parameters
        if takes_one_argument(function):
            return measured_with_one_parameter
        return measured if settings.window.seconds is None else measured_over_time
    return plain_without_parameters if takes_no_arguments(function) else plain


def takes_no_arguments(function: Callable[..., object]) -> bool:
    return inspect.isfunction(function) and not (function.__code__.co_argcount or _packs(function.__code__))


def takes_one_argument(function: Callable[..., object]) -> bool:
    """Exactly one, which may be given by position and by name."""
    if not inspect.isfunction(function) or function.__defaults__:
        return False
    code = function.__code__
    return code.co_argcount == 1 and not code.co_posonlyargcount and not _packs(code)


def _packs(code: CodeType) -> int:
    return code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)


def managed(circuit: Circuit, function: Callable[P, R]) -> Callable[P, R]:
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        with Permit(circuit) as permit:
            result = function(*args, **kwargs)
            permit.result(result)
            return result

    return guarded


def plain(circuit: Circuit, function: Callable[..., R]) -> Callable[..., R]:
    keeper = circuit.keeper.local
    ask_first = managed(circuit, function)

    def guarded(*args: Any, **kwargs: Any) -> R:
        period = keeper.period
        if period.gated:
            return ask_first(*args, **kwargs)
        try:
            result = function(*args, **kwargs) if kwargs else function(*args)
        except BaseException as error:
            circuit.end_with_error(period, error)
            raise
        if keeper.period.dirty:
            circuit.settle(period)
        return result

    return guarded


def plain_without_parameters(circuit: Circuit, function: Callable[[], R]) -> Callable[[], R]:
    keeper = circuit.keeper.local
    ask_first = managed(circuit, function)

    def guarded() -> R:
        period = keeper.period
        if period.gated:
            return ask_first()
        try:
            result = function()
        except BaseException as error:
            circuit.end_with_error(period, error)
            raise
        if keeper.period.dirty:
            circuit.settle(period)
        return result

    return guarded


def measured(circuit: Circuit, function: Callable[..., R]) -> Callable[..., R]:
    keeper, clock = circuit.keeper.local, circuit.clock
    limit = slow_limit(circuit.settings)
    ask_first = managed(circuit, function)

    def guarded(*args: Any, **kwargs: Any) -> R:
        period = keeper.period
        if period.gated:
            return ask_first(*args, **kwargs)
        started = clock()
        try:
            result = function(*args, **kwargs) if kwargs else function(*args)
        except BaseException as error:
            circuit.end_with_error(period, error, clock() - started)
            raise
        if clock() - started > limit:
            circuit.succeed(period, clock() - started)
            return result
        append = period.outcomes.append  # two steps: as a method call it would cost CPython 3.11 twice as much
        append(FINE)
        if keeper.period.dirty:
            circuit.settle(period)
        return result

    return guarded


def measured_over_time(circuit: Circuit, function: Callable[..., R]) -> Callable[..., R]:
    keeper, clock = circuit.keeper.local, circuit.clock
    limit = slow_limit(circuit.settings)
    ask_first = managed(circuit, function)

    def guarded(*args: Any, **kwargs: Any) -> R:
        period = keeper.period
        if period.gated:
            return ask_first(*args, **kwargs)
        started = clock()
        try:
            result = function(*args, **kwargs) if kwargs else function(*args)
        except BaseException as error:
            circuit.end_with_error(period, error, clock() - started)
            raise
        ended = clock()
        outcomes = period.outcomes
        if ended - started > limit or ended >= outcomes.stale_at:
            circuit.succeed(period, ended - started)
            return result
        append = outcomes.append
        append(outcomes.stamp)
        if keeper.period.dirty:
            circuit.settle(period)
        return result

    return guarded


def measured_without_parameters(circuit: Circuit, function: Callable[[], R]) -> Callable[[], R]:
    keeper, clock = circuit.keeper.local, circuit.clock
    limit = slow_limit(circuit.settings)
    ask_first = managed(circuit, function)

    def guarded() -> R:
        period = keeper.period
        if period.gated:
            return ask_first()
        started = clock()
        try:
            result = function()
        except BaseException as error:
            circuit.end_with_error(period, error, clock() - started)
            raise
        ended = clock()
        outcomes = period.outcomes
        if ended - started > limit or ended >= outcomes.stale_at:
            circuit.succeed(period, ended - started)
            return result
        append = outcomes.append
        append(outcomes.stamp)
        if keeper.period.dirty:
            circuit.settle(period)
        return result

    return guarded


def measured_with_one_parameter(circuit: Circuit, function: Callable[..., R]) -> Callable[..., R]:
    keeper, clock = circuit.keeper.local, circuit.clock
    limit = slow_limit(circuit.settings)
    ask_first = managed(circuit, function)

    def guarded(argument: Any) -> R:
        period = keeper.period
        if period.gated:
            return ask_first(argument)
        started = clock()
        try:
            result = function(argument)
        except BaseException as error:
            circuit.end_with_error(period, error, clock() - started)
            raise
        ended = clock()
        outcomes = period.outcomes
        if ended - started > limit or ended >= outcomes.stale_at:
            circuit.succeed(period, ended - started)
            return result
        append = outcomes.append
        append(outcomes.stamp)
        if keeper.period.dirty:
            circuit.settle(period)
        return result

    # Callers may give the argument by its name, so it has to be the name that the function uses.
    names = function.__code__.co_varnames[:1] + guarded.__code__.co_varnames[1:]
    guarded.__code__ = guarded.__code__.replace(co_varnames=names)
    return guarded


def slow_limit(settings: Settings) -> float:
    window = settings.window
    return float("inf") if window is None or window.slow_seconds is None else window.slow_seconds


def managed_async(
    circuit: Circuit, function: Callable[P, Coroutine[Any, Any, R]]
) -> Callable[P, Coroutine[Any, Any, R]]:
    async def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        async with Permit(circuit) as permit:
            result = await function(*args, **kwargs)
            await permit.aresult(result)
            return result

    return guarded


def plain_async(
    circuit: Circuit, function: Callable[..., Coroutine[Any, Any, R]]
) -> Callable[..., Coroutine[Any, Any, R]]:
    keeper = circuit.keeper.local
    ask_first = managed_async(circuit, function)

    async def guarded(*args: Any, **kwargs: Any) -> R:
        period = keeper.period
        if period.gated:
            return await ask_first(*args, **kwargs)
        try:
            result = await (function(*args, **kwargs) if kwargs else function(*args))
        except BaseException as error:
            circuit.end_with_error(period, error)
            raise
        if keeper.period.dirty:
            circuit.settle(period)
        return result

    return guarded
