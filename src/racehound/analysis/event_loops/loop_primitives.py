"""Primitives of asyncio that outlive a loop: variables of modules, of decorators, defaults of parameters."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.event_loops.loops import Run
from racehound.analysis.meaning.wrappers import is_handed_out
from racehound.analysis.program import Program
from racehound.source.closures import scope_of
from racehound.source.events import SELF, Acquire, Call, Place, Shape, Span
from racehound.source.facts import FunctionFacts, ModuleFacts

PRIMITIVES = frozenset(
    f"asyncio.{name}"
    for name in (
        "Lock",
        "Event",
        "Condition",
        "Semaphore",
        "BoundedSemaphore",
        "Queue",
        "LifoQueue",
        "PriorityQueue",
    )
)


class Waiting(NamedTuple):
    """Where a coroutine waits on a primitive, or is given one."""

    name: str
    span: Span


def outliving(program: Program, function: FunctionFacts, reached: set[FunctionFacts]) -> Iterator[Waiting]:
    """The first use of each primitive that was there before the loop and is there after it."""
    seen: set[Place] = set()
    for place, span in _used(function) if function.is_async else ():
        if place.root != SELF and place not in seen and program.kinds.place(function, place) & PRIMITIVES:
            seen.add(place)
            if _outlives(function, place, reached):
                yield Waiting(str(place), span)


def _used(function: FunctionFacts) -> Iterator[tuple[Place, Span]]:
    """What is entered, and the objects of the methods that are called."""
    for event in function.events:
        if isinstance(event, Acquire) and event.value.place is not None and event.value.shape is Shape.PLACE:
            yield event.value.place, event.span
        elif isinstance(event, Call) and event.callee is not None and event.callee.attributes:
            yield Place(event.callee.root, event.callee.attributes[:-1]), event.span


def _outlives(function: FunctionFacts, place: Place, reached: set[FunctionFacts]) -> bool:
    scope = scope_of(function, place.root)
    if scope is None or scope.is_module_body:
        return True
    if scope is function:
        made = function.annotations.get(place.root, ()) if not place.attributes else ()
        return _is_of_module(function) and any(value.shape is Shape.CALL for value in made)
    return scope not in reached and not scope.is_async and _is_decorating(function, scope)


def _is_of_module(function: FunctionFacts) -> bool:
    return function.is_method or function.parent is None or function.parent.is_module_body


def _is_decorating(function: FunctionFacts, scope: FunctionFacts) -> bool:
    """True for a function that a decorator of the module hands out: it was decorated when the module was read."""
    current: FunctionFacts | None = function
    while current is not None and current is not scope:
        if not is_handed_out(current):
            return False
        current = current.parent
    return _is_of_module(scope)


def given(program: Program, run: Run) -> Iterator[Waiting]:
    """Primitives of the module that are given to the coroutine that a loop is run for."""
    for value in run.start.call.arguments:
        place = value.place if value.shape is Shape.PLACE else None
        if place is None or place.root == SELF or scope_of(run.function, place.root) is not None:
            continue
        if program.kinds.place(run.function, place) & PRIMITIVES:
            yield Waiting(str(place), run.start.call.span)


def is_used_on_another(program: Program, module: ModuleFacts, name: str, reached: set[FunctionFacts]) -> bool:
    """True if a coroutine that this run does not come to uses a primitive, too."""
    place = Place(*_split(name))
    home = program.kinds.variable(module, place) if place.root in module.imports else None
    own = (home.module, home.name) if home is not None else (module, place.root)
    for item in program.modules:
        for function in item.functions:
            if function.is_async and function not in reached:
                for used, _ in _used(function):
                    other = program.kinds.variable(item, used) if used.root in item.imports else None
                    if own == ((other.module, other.name) if other is not None else (item, used.root)):
                        return True
    return False


def _split(name: str) -> tuple[str, tuple[str, ...]]:
    root, *attributes = name.split(".")
    return root, tuple(attributes)
