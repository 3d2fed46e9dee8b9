"""What finalizers, callbacks of weak references and signal handlers change of what others have, too.

An object that goes has its own fields to itself. What it shares are the variables of modules and classes, and the
objects that it was given.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.locking.takings import Takings
from racehound.analysis.program import Program
from racehound.analysis.state.cells import CLOSURE
from racehound.analysis.state.fields import Use
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.threads.activations import Context
from racehound.analysis.threads.ends import INTERRUPTING, registrations
from racehound.model.doubt import Sureness
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.source.closures import scope_of
from racehound.source.events import CHANGES, SELF, Action, Call, Decision, Flow, Place, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts

TAKING_OUT = frozenset({"pop", "discard", "remove", "popitem", "clear"})
_PUTTING_IN = frozenset({"add", "append", "setdefault", "update", "extend", "insert"})


_ALL = "all"


class Interruption(NamedTuple):
    owner: Owner
    field: str
    change: Use
    context: Context
    is_sure: bool = True
    """Nothing but a look at the same state decides whether it comes to the change."""

    @property
    def confidence(self) -> Sureness:
        return MeetingDoubt.INTERRUPTS.likely if self.is_sure else MeetingDoubt.INTERRUPTS_AS_DECIDED.possible

    @property
    def takes_out(self) -> bool:
        return self.change.touch.action is Action.DELETE or self.change.touch.method in TAKING_OUT


def interruptions(program: Program) -> list[Interruption]:
    if _ALL not in program.interrupted:
        found = (*_by_functions(program), *_by_methods_of_containers(program))
        program.interrupted[_ALL] = list(dict.fromkeys(found))
    return program.interrupted[_ALL]


def interrupts(program: Program, function: FunctionFacts) -> bool:
    """True for what runs in the middle of other code."""
    return any(item.context.what in INTERRUPTING for item in program.contexts.ends.get(function, ()))


def uses_of(program: Program, found: Interruption) -> list[Use]:
    """Uses by code that can be interrupted, and does not keep the interruption out."""
    uses = Meetings(program).fields(found.owner).get(found.field, [])
    return [
        use
        for use in uses
        if use.function is not found.change.function
        and not interrupts(program, use.function)
        and not _keeps_out(program, use, found.change)
    ]


def is_of_the_living(use: Use, change: Use) -> bool:
    """True for an entry that goes with a parameter of the function itself, which is there until it returns.

    `weakref.ref(item, forget)`, where `forget` is a function inside that takes out the entry of `item`.
    """
    function, nested = use.function, change.function
    if nested.parent is not function or use.touch.key is None or use.touch.key != change.touch.key:
        return False
    return any(
        len(call.arguments) > 1
        and call.arguments[0].place in {Place(name) for name in function.parameters}
        and call.arguments[1].place == Place(nested.name)
        for method in ("ref", "finalize")
        for _, call in function.calls_of(method)
    )


def _keeps_out(program: Program, use: Use, change: Use) -> bool:
    """True if both hold one lock, and the holder cannot take it again: then it waits for itself instead."""
    common = use.locks & change.locks
    takings = Takings(program)
    taken = (item.lock for item in takings.direct(use.function) if item.lock & common) if common else ()
    return any(map(takings.is_plain, taken)) or (bool(common) and not any(True for _ in taken))


def _by_functions(program: Program) -> Iterator[Interruption]:
    for function, activations in program.contexts.ends.items():
        for activation in sorted(activations, key=lambda item: (item.context, sorted(item.shared))):
            if activation.context.what in INTERRUPTING:
                for use in _changes(program, function):
                    for owner, field in _homes(program, function, use.touch.place, SELF in activation.shared):
                        sure = _is_start(function, activation.context) or _is_sure(function, use)
                        yield Interruption(owner, field, use, activation.context, sure)


def _changes(program: Program, function: FunctionFacts) -> Iterator[Use]:
    for index, event in enumerate(function.events if not CHANGES.isdisjoint(function.holds) else ()):
        if isinstance(event, Touch) and event.action in CHANGES:
            yield Use(function, index, event, program.locksets.at(function, index), changes=True)


def _is_start(function: FunctionFacts, context: Context) -> bool:
    return (function.module.path, function.span.line) == (context.path, context.line)


def _is_sure(function: FunctionFacts, change: Use) -> bool:
    forks: list[bool] = []
    for index, event in enumerate(function.events[: change.index]):
        if event is Flow.FORK:
            forks.append(_hangs_on(function, index, change.touch.place))
        elif event is Flow.JOIN:
            forks.pop()
        elif event is Flow.LEAVE and not all(forks):
            return False
    return all(forks)


def _hangs_on(function: FunctionFacts, fork: int, place: Place) -> bool:
    """False where something else decides than a look at the place; a loop or a `try` decides nothing."""
    tried = {index for item in function.attempts for index in (item.begin, item.begin + 1)}
    if fork in tried or function.events[fork + 1] is Flow.LOOP:
        return True
    decision = function.events[fork - 1] if fork else None
    looked = [function.events[at] for at in decision.sources] if isinstance(decision, Decision) else []
    return bool(looked) and all(isinstance(event, Touch) and event.place == place for event in looked)


def _by_methods_of_containers(program: Program) -> Iterator[Interruption]:
    """What `weakref.finalize(item, self.names.pop, key)` takes out."""
    for module in program.modules:
        for caller, at, value, what in registrations(module, program.calls):
            if value.shape is not Shape.PLACE or value.place is None or not value.place.attributes:
                continue
            *attributes, method = value.place.attributes
            place, event = Place(value.place.root, tuple(attributes)), caller.events[at]
            if what in INTERRUPTING and method in TAKING_OUT | _PUTTING_IN and isinstance(event, Call):
                touch = Touch(place, Action.MUTATE, event.span, method=method)
                for owner, field in _homes(program, caller, place, is_shared=True):
                    context = Context(what, module.path, event.span.line, many=False)
                    yield Interruption(owner, field, Use(caller, at, touch, 0, changes=True), context)


def _homes(
    program: Program, function: FunctionFacts, place: Place, is_shared: bool
) -> Iterator[tuple[Owner, str]]:
    """Whose state it is, and under which name others use it."""
    if not place.attributes:
        if scope_of(function, place.root) is None and place.root in function.module.variables:
            yield function.module, place.root
    elif place.root == SELF and len(place.attributes) == 1 and function.owner is not None:
        name = place.attributes[0]
        if is_shared:
            yield function.owner, name
        for item in program.hierarchy.linear(function.owner):
            yield from _in_common(item, name)
    elif len(place.attributes) == 1 and place.root not in function.bound:
        named = program.kinds.callee(function, Place(place.root))
        if isinstance(named, ClassFacts):
            yield from _in_common(named, place.attributes[0])


def _in_common(item: ClassFacts, name: str) -> Iterator[tuple[Owner, str]]:
    if name in item.attributes:
        yield item.module, f"{name}{CLOSURE}{item.qualified_name}"
