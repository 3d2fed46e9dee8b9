"""Generic functions, which choose what to run by the classes that were registered with them.

`functools.singledispatch` keeps a dictionary of implementations behind closures of its own: to register is to
write to it, to call is to read it. Classes registered with an abstract class are kept in C, and asked for by
`isinstance`, which nothing tells of.
"""

import abc
import functools
from collections.abc import Iterator
from types import FunctionType
from typing import Final

from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument.parts import bound_to
from racehound.instrument.published import PublishedCall

_MAKER: Final = "singledispatch"
REGISTERED: Final = "a class is registered with an abstract one, of which others may be asked unseen"


def is_generic(function: FunctionType) -> bool:
    """Whether it is a generic function, or what registers something with one or with an abstract class."""
    if function is abc.ABCMeta.register:
        return True
    return function.__globals__ is vars(functools) and function.__code__.co_qualname.startswith(_MAKER)


class GenericCall(PublishedCall):
    __slots__ = ()

    def publish(self, execution: Execution, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
        del args, kwargs
        function = getattr(self.function, "__func__", self.function)
        if function is abc.ABCMeta.register:
            execution.caveat(REGISTERED)
        registry = next(_registries(self.function), None)
        if registry is not None:
            writes = "register" in function.__code__.co_qualname
            effect = Effect(execution.number(registry), WHOLE, writes)
            kind = Kind.WRITE if writes else Kind.READ
            execution.step(Operation(kind, (effect,), site=self.site, subject=registry, label=_MAKER))


def _registries(subject: object, depth: int = 4) -> Iterator[object]:
    """What a generic function chooses from, found in the closures that it is made of."""
    if isinstance(subject, functools.singledispatchmethod):
        subject = subject.dispatcher
    owner = bound_to(subject)
    if owner is not None:
        yield from _registries(owner, depth)
    if not isinstance(subject, FunctionType) or not depth:
        return
    for name, cell in zip(subject.__code__.co_freevars, subject.__closure__ or (), strict=True):
        if name == "registry":
            yield cell.cell_contents
        else:
            yield from _registries(cell.cell_contents, depth - 1)
