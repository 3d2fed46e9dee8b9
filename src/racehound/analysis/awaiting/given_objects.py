"""Objects that several tasks of one coroutine are given: `gather(*(play(game, judge) for judge in judges))`."""

from collections.abc import Iterator

from racehound.analysis.meaning.arguments import given
from racehound.analysis.program import Program
from racehound.analysis.state.compound import updates
from racehound.analysis.state.fields import Use
from racehound.analysis.threads.activations import outlives
from racehound.source.events import Acquire, Call, Release, Shape, Touch
from racehound.source.facts import FunctionFacts


def updated_across_await(program: Program, function: FunctionFacts) -> Iterator[tuple[Use, Use, int]]:
    """Attributes of such an object that are read, and written back behind an await, which comes third."""
    for update in updates(function) if function.fed and function.is_async else ():
        root, attributes = update.place
        if not attributes or root not in function.parameters or root in function.bound:
            continue
        pause = program.awaits.paths(function).pause_between(update.read, update.write)
        entered = _is_entered(function, update.read, update.write)
        if pause is not None and not entered and _is_given_to_several(program, function, root):
            yield _use(program, function, update.read), _use(program, function, update.write), pause


def _is_entered(function: FunctionFacts, read: int, write: int) -> bool:
    """True if both stand in one block of an `async with`: what an object gives to enter may be a lock."""
    for index, event in enumerate(function.events[:read]):
        if isinstance(event, Acquire) and event.is_async:
            left = (item for item in function.events[index:write] if isinstance(item, Release))
            if all(item.value != event.value for item in left):
                return True
    return False


def _is_given_to_several(program: Program, function: FunctionFacts, name: str) -> bool:
    """True if a loop, or a comprehension, starts the coroutine again and again with the same object."""
    for caller in program.callers.of(function):
        call = caller.function.events[caller.at]
        started = any(start.at == caller.at and start.many for start in program.coroutines.starts(caller.function))
        value = dict(given(function, call)).get(name) if started and isinstance(call, Call) else None
        if value is not None and isinstance(call, Call) and call.loop and value.shape is Shape.PLACE:
            place = value.place
            if place is not None and outlives(caller.function, place, call.loop):
                return True
    return False


def _use(program: Program, function: FunctionFacts, index: int) -> Use:
    touch = function.events[index]
    if not isinstance(touch, Touch):
        raise TypeError(f"an update of {function} is no access")
    locks = program.locksets.at(function, index)
    return Use(function=function, index=index, touch=touch, locks=locks, changes=bool(touch.sources))
