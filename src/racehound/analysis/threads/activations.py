"""Where a function runs, and what it has in common there with others."""

from collections.abc import Iterable
from typing import NamedTuple

from racehound.analysis.testfiles import is_test
from racehound.source.events import SELF, Bind, Place
from racehound.source.facts import ClassFacts, FunctionFacts

_CALLED = ("whichever thread", "a callback", "a finalizer", "a signal handler", "an exit handler")
"""What is not started there, but called from elsewhere."""


class Context(NamedTuple):
    what: str
    path: str
    line: int
    many: bool
    starter: str = ""
    """The class whose method starts it, as `path::Class`."""
    in_test: bool = False
    is_awaited: bool = False
    """The function that starts it does not return before it has ended."""
    is_rare: bool = False
    """It runs beside others only as the program is configured, or in moments that hardly ever come."""
    is_step: bool = False
    """A coroutine awaits it at once, for the object that it runs on: one run of it has one."""
    which: int = 0
    """Its number among those that are started at the same place, each with other work."""

    def __str__(self) -> str:
        verb = ", defined at" if self.what.startswith(_CALLED) else " started at"
        return f"{self.what}{verb} {self.path}:{self.line}"


def of_class(item: ClassFacts, what: str, *, many: bool) -> Context:
    """Where a thread runs that is an object of a class."""
    path, line = item.module.path, item.span.line
    return Context(what, path, line, many=many, starter=str(item), in_test=is_test(item.module))


class Activation(NamedTuple):
    """A function running in a context, with the roots that are shared there."""

    context: Context
    shared: frozenset[str]


class Way(NamedTuple):
    """How a function is come to: `self.server.table.add()` goes by the field `table` of a server."""

    caller: FunctionFacts
    holder: ClassFacts
    field: str


def outlives(function: FunctionFacts, place: Place, loop: int) -> bool:
    """True if the object was there before the loop that starts the threads or tasks."""
    if place.root == SELF or loop == 0 or place.root not in function.bound:
        return True
    binds = [event for event in function.events if isinstance(event, Bind) and event.name == place.root]
    return all(bind.loop < loop for bind in binds)


def in_order(activations: Iterable[Activation]) -> tuple[Context, ...]:
    return tuple(sorted({activation.context for activation in activations}))
