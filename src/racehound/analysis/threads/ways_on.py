"""How contexts go on from one function to the next."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from racehound.analysis.threads.activations import Context
from racehound.source.events import SELF, Call, Place, Value
from racehound.source.facts import FunctionFacts


class Step(NamedTuple):
    """An event by which a function comes to others."""

    call: Call | None
    given: tuple[tuple[Value, FunctionFacts], ...]
    """Functions that the call is given, and runs."""
    targets: tuple[FunctionFacts, ...]
    """Several where an entry of a table is called."""
    read: tuple[tuple[Place | None, FunctionFacts], ...]
    """What runs because a property is read, an entry asked for or a block entered, each with its object."""


Steps: TypeAlias = dict[tuple[FunctionFacts, bool], list[Step]]
"""By function, and whether it was followed before callers were asked."""


def receiver_of(callee: Place) -> Place:
    return Place(callee.root, callee.attributes[:-1])


def started_in(
    spawns: Mapping[FunctionFacts, Sequence[tuple[int, Context]]],
) -> dict[FunctionFacts, frozenset[Context]]:
    """What each function and those nested in it start: they share the variables of one run of it."""
    found: dict[FunctionFacts, set[Context]] = {}
    for function, starts in spawns.items():
        scope: FunctionFacts | None = function
        while scope is not None and not scope.is_module_body:
            found.setdefault(scope, set()).update(context for _, context in starts)
            scope = scope.parent
    return {function: frozenset(started) for function, started in found.items()}


def is_of_base(call: Call, target: FunctionFacts) -> bool:
    """True for `Base.close(self)`, which goes on with the same object."""
    named = call.callee is not None and target.owner is not None and call.callee.root == target.owner.name
    return named and bool(call.arguments) and call.arguments[0].place == Place(SELF)


def is_only_made(caller: FunctionFacts, target: FunctionFacts) -> bool:
    """True for a coroutine that a plain function makes and leaves to a loop, which runs in a thread of its own."""
    if not target.is_async or caller.is_async:
        return False
    return not any(caller.calls_of(name) for name in LOOP_RUNNERS)


LOOP_RUNNERS = frozenset({"run", "run_until_complete", "run_sync"})
