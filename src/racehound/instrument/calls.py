"""Calls into code that does not publish its own operations.

Instrumented functions are called as they are. For built-in and foreign functions the call itself becomes the
operation: what is known of the function says which of its arguments it reads or writes; of what is not known
the worst is assumed, and if such an argument turns out to be shared, the verdict is weakened.
"""

import bisect
import functools
import types
import weakref
from collections.abc import Callable, Iterator
from contextvars import copy_context
from enum import Enum
from typing import Any

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument import special
from racehound.instrument.containers import HALFWAY, VIEW_MAKERS, call_operation
from racehound.instrument.contexts import CopyCall, plan_of_context
from racehound.instrument.filling import Filling, fills
from racehound.instrument.foreign import UNSEEN, uses_unseen
from racehound.instrument.generators import GeneratorCall, speaks_for_itself
from racehound.instrument.generic import GenericCall, is_generic
from racehound.instrument.keepers import AwaitingEnd, WeakCall, makes_context
from racehound.instrument.kinds import SORTS, Sort, is_a, is_instrumented
from racehound.instrument.known import (
    CHANGES_FIRST,
    FOLDS,
    LOOKS_AT_FRAMES,
    LOOKS_INTO,
    READS,
    STEPPED,
    TEXT_METHODS,
    TOUCHES_NOTHING,
    Function,
    Reading,
    is_trusted,
    only_calls_the_program,
    outside_of,
)
from racehound.instrument.looking import look
from racehound.instrument.parts import behind, bound_to, elements, reachable
from racehound.instrument.published import PublishedCall, ReadingCall
from racehound.instrument.sourceless import StoppedCall, can_be_stopped
from racehound.instrument.stepping import AskingCall, FoldingCall, SteppingCall, runs_code
from racehound.instrument.streams import PrintingCall
from racehound.instrument.trusted import plan_trusted
from racehound.instrument.voices import (
    CALLING,
    COMPARISON,
    TEXT,
    Voice,
    voice,
)


class ContainerCall(PublishedCall):
    """A method of a built-in container, bound to it."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        execution = CONTROL.here()
        if execution is None:
            return self.function(*args, **kwargs)
        if len(args) == 1 and not kwargs and hasattr(type(args[0]), "__next__"):
            container, method = self.function.__self__, self.function.__name__  # type: ignore[attr-defined]  # it is bound
            if fills(container, method, args[0]):
                return self.function(Filling(self.site, container, method, args[0]))
        self.publish(execution, args, kwargs)
        return self.function(*args, **kwargs)

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        function = self.function
        execution.step(
            call_operation(execution, self.site, function.__self__, function.__name__, args, kwargs)  # type: ignore[attr-defined]
        )


class SortingCall(AskingCall, ContainerCall):
    """`sort` of a list."""

    __slots__ = ()


class UnboundContainerCall(PublishedCall):
    """The same, as `list.append(items, 1)` and `dict.__setitem__(self, key, value)` say it."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        if args and SORTS.of(args[0]) is Sort.CONTAINER:
            name = self.function.__name__
            execution.step(call_operation(execution, self.site, args[0], name, args[1:], kwargs))
        else:
            publish_foreign(execution, self.site, self.function, (*args, *kwargs.values()))


class UnboundAttributeCall(PublishedCall):
    """`object.__setattr__(self, name, value)` and its like."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        if CONTROL.here() is None or len(args) < 2 or kwargs:
            return self.function(*args, **kwargs)
        bound = functools.partial(self.function, args[0])
        return special.ATTRIBUTE_METHODS[self.function.__name__](self.site, bound, *args)


class ChangingCall(AskingCall):
    """A function that changes its first argument, at once, unless comparing the elements runs other code."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        heap = args[0] if args else None
        if SORTS.of(heap) is not Sort.CONTAINER:
            publish_foreign(execution, self.site, self.function, (*args, *kwargs.values()))
            return
        number = execution.number(heap)
        if kwargs or any(runs_code(item, COMPARISON) for item in (*elements(heap), *args[1:2])):
            execution.opaque(number, HALFWAY.format(self.function.__name__))
        effects = (Effect(number, WHOLE, writes=True), *look(execution, args[1:2], COMPARISON, deep=True))
        execution.step(Operation(Kind.WRITE, effects, site=self.site, subject=heap))


class SearchingCall(AskingCall, ReadingCall):
    """`bisect` and its like."""

    __slots__ = ()


class ForeignCall(PublishedCall):
    """Anything else: may do anything to whatever it is given."""

    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        publish_foreign(execution, self.site, self.function, (*args, *kwargs.values()))


def publish_foreign(execution: Execution, site: int, function: Function, args: tuple[object, ...]) -> None:
    named = is_a(function, _NAMED)
    name = function.__qualname__ if named else type(function).__qualname__
    reads = named and function in LOOKS_INTO
    found, complete = reachable((function, *args, *behind(function)))
    effects = uses_unseen(execution, name, found, UNSEEN, writes=not reads)
    if not complete:
        execution.caveat(f"`{name}` is given too much to be looked into")
    effects += effects_outside(execution, name, function)
    if effects:
        kind = Kind.READ if reads else Kind.CALL
        execution.step(Operation(kind, tuple(effects), site=site, subject=bound_to(function)))


def effects_outside(execution: Execution, name: str, function: Function) -> Iterator[Effect]:
    """What a function, or a class whose instances are used, does where nothing is observed."""
    outside = _outside(function)
    if outside is not None:
        number = execution.number_of(("outside", outside))
        reason = f"`{name}` reaches outside the program, where nothing is observed"
        execution.opaque(number, reason, guardable=False)
        yield Effect(number, WHOLE, writes=True)


_NAMED = (types.FunctionType, types.MethodType, types.BuiltinFunctionType, type)


def _outside(function: Function) -> str | None:
    owner = bound_to(function)
    if owner is not None and not is_a(owner, types.ModuleType):
        function = owner if is_a(owner, type) else type(owner)  # type: ignore[assignment]  # a class can be called
    elif not is_a(function, _NAMED):
        function = type(function)
    return None if is_a(function, type) and SORTS.is_ours(function) else outside_of(function)  # type: ignore[arg-type]


# -- which is which --------------------------------------------------------------------------------


def plan_call(execution: Execution, site: int, function: Any) -> Any:
    """The function itself where it publishes on its own, else a stand-in that publishes for it."""
    kind = type(function)
    for kinds, plan in _PLANS:
        if issubclass(kind, kinds):
            return plan(execution, site, function)
    if not callable(function) or voice(kind, CALLING) is Voice.OWN:
        return function
    return ForeignCall(site, function)


def _plan_function(execution: Execution, site: int, function: Any) -> object:
    del execution
    if type(function) is types.FunctionType and function in CONTROL.stand_ins:
        return CONTROL.stand_ins[function]
    if function in STEPPED:
        return SteppingCall(site, function)
    if function in LOOKS_AT_FRAMES:
        return function
    code = function.__func__ if type(function) is types.MethodType else function
    if type(code) is not types.FunctionType:
        return ForeignCall(site, function)
    if CONTROL.discover is not None and not is_instrumented(code):
        CONTROL.discover(code)
    if is_instrumented(code) or only_calls_the_program(code) or makes_context(code):
        return function
    if is_generic(code):
        return GenericCall(site, function)
    if is_trusted(code.__module__):
        return plan_trusted(site, function, code)
    return StoppedCall(site, function) if can_be_stopped(code) else ForeignCall(site, function)


def _plan_partial(execution: Execution, site: int, function: functools.partial[object]) -> object:
    planned = plan_call(execution, site, function.func)
    if planned is function.func or type(function) is not functools.partial:
        return function
    return functools.partial(planned, *function.args, **function.keywords)


def _plan_class(execution: Execution, site: int, kind: type) -> object:
    del execution
    if kind in CONTROL.stand_ins:
        return CONTROL.stand_ins[kind]
    if kind in TOUCHES_NOTHING or (issubclass(kind, BaseException) and not SORTS.is_ours(kind)):
        return kind
    if kind in READS:
        return ReadingCall(site, kind, READS[kind])
    if kind is reversed:
        return functools.partial(special.reversed_, site)
    if kind in STEPPED:
        return SteppingCall(site, kind)
    if kind in (weakref.ref, weakref.finalize):
        return AwaitingEnd(site, kind)
    if is_trusted(kind.__module__):
        return kind
    if SORTS.is_ours(kind):
        return _plan_own_class(site, kind)
    return ForeignCall(site, kind)


def _plan_own_class(site: int, kind: type) -> object:
    if issubclass(kind, Enum):
        return kind  # looks a member up
    makers = [voice(kind, (method,)) for method in ("__init__", "__new__")]
    if Voice.UNSEEN not in makers or issubclass(kind, tuple):
        return kind
    base = next((base for base in kind.__mro__ if base in READS), None)
    return ForeignCall(site, kind) if base is None else ReadingCall(site, kind, READS[base])


def _plan_bound(execution: Execution, site: int, function: types.BuiltinFunctionType) -> object:
    del execution
    if function in CONTROL.stand_ins:
        return CONTROL.stand_ins[function]
    if function in special.TABLE:
        return functools.partial(special.TABLE[function], site)
    if function in TOUCHES_NOTHING or function in LOOKS_AT_FRAMES:
        return function
    if function in READS:
        return _READING.get(function, ReadingCall)(site, function, READS[function])
    for known, plan in ((FOLDS, FoldingCall), (STEPPED, SteppingCall), (CHANGES_FIRST, ChangingCall)):
        if function in known:
            return plan(site, function)
    if function is copy_context:
        return CopyCall(site, function)
    owner = function.__self__
    if is_a(owner, types.ModuleType) and is_trusted(vars(owner)["__name__"]):
        return function
    return _plan_method(site, function, owner)


_READING: dict[object, type[ReadingCall]] = {
    print: PrintingCall,
    **dict.fromkeys((bisect.bisect_left, bisect.bisect_right), SearchingCall),
}


def _plan_method(site: int, function: Function, owner: object) -> object:
    name = function.__name__
    sort = SORTS.of(owner)
    if sort is Sort.CONTAINER:
        if is_a(owner, list) and name == "sort":
            return SortingCall(site, function)
        return function if is_a(owner, dict) and name in VIEW_MAKERS else ContainerCall(site, function)
    if is_a(owner, str) and name in ("format", "format_map") and _looks_inside(owner):
        return ForeignCall(site, function)
    if is_a(owner, (str, bytes)):
        looks = name in TEXT_METHODS or is_a(owner, bytes)
        return ReadingCall(site, function, Reading(TEXT, deep=True)) if looks else function
    if name in special.ATTRIBUTE_METHODS and sort is not Sort.FOREIGN:
        return functools.partial(special.ATTRIBUTE_METHODS[name], site, function, owner)
    if speaks_for_itself(owner):
        return GeneratorCall(site, function)
    return plan_of_context(site, function, owner) or ForeignCall(site, function)


def _looks_inside(template: Any) -> bool:
    """Whether a template names attributes or items of what it is filled with: `{0.name}`, `{0[key]}`."""
    return any(mark in template for mark in _INSIDE) and "{" in template


_INSIDE = (".", "[")


def _plan_reference(execution: Execution, site: int, reference: Any) -> object:
    del execution
    return WeakCall(site, reference)


def _plan_unbound(execution: Execution, site: int, function: types.MethodDescriptorType) -> object:
    del execution
    name = function.__name__
    if name in special.ATTRIBUTE_METHODS and function.__objclass__ is object:
        return UnboundAttributeCall(site, function)
    return UnboundContainerCall(site, function)


_PLANS: tuple[tuple[Any, Callable[[Execution, int, Any], object]], ...] = (
    ((types.FunctionType, types.MethodType), _plan_function),
    (functools.partial, _plan_partial),
    (weakref.ReferenceType, _plan_reference),
    (type, _plan_class),
    ((types.BuiltinFunctionType, types.MethodWrapperType), _plan_bound),
    ((types.MethodDescriptorType, types.WrapperDescriptorType), _plan_unbound),
)
