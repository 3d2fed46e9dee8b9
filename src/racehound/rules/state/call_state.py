"""State of one call that a decorator keeps on itself, where all calls of what it decorates meet."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from racehound.analysis.locking.locksets import is_private
from racehound.analysis.meaning.wrappers import enters_itself, is_decorated_function, wrappers
from racehound.analysis.program import Program
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import gaps_of
from racehound.analysis.state.steps import Step
from racehound.rules.rule import operation, seen_from
from racehound.source.events import ITEM, SELF, Action, Call, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_LOOKS = frozenset({Action.READ, Action.CHECK, Action.ITERATE})
_RECREATING = "contextlib.ContextDecorator"


def call_states(program: Program, owner: ClassFacts) -> Iterator[tuple[Use, Use, Use]]:
    """A write by one call, the look that belongs to it, and the operation to show: the write, or `with self`."""
    found = list(wrappers(program.hierarchy, owner))
    for wrapper in found:
        for index in enters_itself(wrapper):
            pair = _entered(program, owner)
            if pair is not None:
                yield *pair, operation(program, wrapper, index, Action.START, Place("self"))
    if _RECREATING in program.hierarchy.outside_bases(owner) and "_recreate_cm" not in owner.methods:
        pair = _entered(program, owner)
        if pair is not None:
            yield *pair, pair[0]
    call = owner.methods.get("__call__")
    if call is not None and is_decorated_function(program.hierarchy, owner):
        found.append(call)
    if found:
        yield from _written(program, owner, found)
        yield from _left_for_others(program, owner, found)
    elif call is not None:
        yield from _left_for_callbacks(program, owner, call)


def _entered(program: Program, owner: ClassFacts) -> tuple[Use, Use] | None:
    """What `__enter__` keeps for `__exit__`."""
    for uses in program.fields.of_class(owner).values():
        writes = [use for use in uses if use.function.name == "__enter__" and _is_own_value(use)]
        looks = [use for use in uses if use.function.name == "__exit__" and use.touch.action in _LOOKS]
        if writes and looks and not writes[0].locks & looks[0].locks:
            return writes[0], looks[0]
    return None


def _written(
    program: Program, owner: ClassFacts, functions: list[FunctionFacts]
) -> Iterator[tuple[Use, Use, Use]]:
    """What a wrapper writes and reads again, itself or through a method that it calls afterwards."""
    gaps = gaps_of(program, owner)
    for field in gaps.steps.fields:
        for function, steps in gaps.steps.of(field):
            pair = _pair(function, steps) if function in functions else None
            if pair is not None:
                yield *pair, pair[0]


def _left_for_others(
    program: Program, owner: ClassFacts, functions: list[FunctionFacts]
) -> Iterator[tuple[Use, Use, Use]]:
    """What a wrapper writes and never looks at itself, for methods that a derived class brings."""
    names = {place.attributes[0] for function in functions for place in _touched(function, {Action.WRITE})}
    members = [item for item in program.hierarchy.family(owner) if item is not owner] if names else ()
    for member in members:
        looked = (place for item in program.hierarchy.functions(member) for place in _touched(item, _LOOKS))
        if names.isdisjoint(place.attributes[0] for place in looked):
            continue
        for uses in program.fields.of_class(member).values():
            own = [use for use in uses if use.function in functions]
            writes = own if all(_is_own_value(use) for use in own) else []
            looks = [use for use in uses if use.function.owner is member and use.touch.action in _LOOKS]
            if writes and looks and not writes[0].locks & looks[0].locks:
                yield writes[0], looks[0], writes[0]


def _touched(function: FunctionFacts, actions: AbstractSet[Action]) -> Iterator[Place]:
    """Attributes to which a function does one of these."""
    for event in function.events if not function.holds.isdisjoint(actions) else ():
        if type(event) is Touch and event.action in actions and event.place.attributes:
            yield event.place


def _left_for_callbacks(
    program: Program, owner: ClassFacts, call: FunctionFacts
) -> Iterator[tuple[Use, Use, Use]]:
    """What `__call__` keeps of its argument for a method of its own that it registers with that argument."""
    names = set(_registered(call))
    for uses in program.fields.of_class(owner).values() if names else ():
        writes = [use for use in uses if use.function is call and _is_asked_of(use)]
        looks = [use for use in uses if use.function.name in names and use.touch.action in _LOOKS]
        if writes and looks and not writes[0].locks & looks[0].locks:
            yield writes[0], looks[0], writes[0]


def _registered(call: FunctionFacts) -> Iterator[str]:
    for event in call.events:
        if isinstance(event, Call) and event.callee is not None and event.callee.root in call.parameters:
            for value in (*event.arguments, *(given for _, given in event.keywords)):
                if value.place is not None and value.place.root == SELF and len(value.place.attributes) == 1:
                    yield value.place.attributes[0]


def _is_asked_of(use: Use) -> bool:
    """True for a write of an argument, of what is made from it, or of what it answers."""
    parameters = set(use.function.parameters)
    asked = any(
        value.shape is Shape.CALL and value.place is not None and value.place.root in parameters
        for value in use.touch.values
    )
    return is_of_call(use) or (asked and use.touch.action is Action.WRITE and not use.locks)


def is_of_call(use: Use) -> bool:
    """True for a write of an argument of the call, or of what is made from one."""
    touch = use.touch
    if touch.action is not Action.WRITE or use.locks or not use.changes:
        return False
    names = set(use.function.parameters)
    return any(_comes_from(value, names) for value in touch.values)


def _comes_from(value: Value, names: set[str]) -> bool:
    if value.shape is Shape.PLACE:
        return value.place is not None and value.place.root in names
    is_made = value.shape is Shape.CALL or value.name == ITEM
    asked = value.place if value.shape is Shape.CALL else None
    if asked is not None and asked.attributes and asked.root in names:
        return True  # `environ.get("REMOTE_USER")`
    return is_made and any(_comes_from(item, names) for item in value.arguments)


def _pair(function: FunctionFacts, steps: list[Step]) -> tuple[Use, Use] | None:
    for number, step in enumerate(steps):
        if step.use.touch.action in _LOOKS:
            return None  # it looks first: what is there already matters, as in a cache
        rest = steps[number + 1 :]
        own = step.use.function is function and begins_anew(step.use, rest)
        if own or (_is_own_value(step.use) and _is_step_of(function, step)):
            later = [item for item in rest if item.use.touch.action in _LOOKS]
            return (step.use, seen_from(function, later[0])) if later and not later[0].locks & step.locks else None
    return None


def _is_step_of(function: FunctionFacts, step: Step) -> bool:
    """True for what the function does itself, or leaves to a step that is there for it: `self._begin(request)`."""
    return step.use.function is function or (is_private(step.use.function) and not step.locks)


def is_reset(use: Use) -> bool:
    """True for `self.attempts = 0` and `self.errors = []`."""
    values = use.touch.values
    is_plain = use.touch.action is Action.WRITE and use.changes and not use.locks
    return (
        is_plain
        and bool(values)
        and all(
            value.name == "0" or (value.shape is Shape.CONTAINER and value.name in _FILLED) for value in values
        )
    )


_FILLED = frozenset({"list", "dict", "set"})


def begins_anew(use: Use, rest: list[Step]) -> bool:
    """True for `self.attempts = 0` at the beginning of a call that goes on to change it."""
    is_plain = use.touch.action is Action.WRITE and use.changes and not use.locks
    return is_plain and any(step.use.changes for step in rest)


def _is_own_value(use: Use) -> bool:
    """A plain write of something that is not the same for every call."""
    touch = use.touch
    if touch.action is not Action.WRITE or use.locks or not use.changes or not touch.values:
        return False
    if own_read(use.function, use.index) is not None:
        return False  # how many there are, not which one it is
    return not any(
        value.shape in {Shape.CONSTANT, Shape.FUNCTION} or value.name in _TIMERS for value in touch.values
    )


_TIMERS = frozenset({"callLater", "call_later", "call_at", "call_soon"})
"""Whoever calls these is in the thread of the loop, and alone there."""
