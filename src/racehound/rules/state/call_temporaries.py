"""Fields that one method uses for the time of a call: it writes them, goes on, and reads its own value again.

Nobody else looks at them, so nothing is gained by a field; in an object that threads share, each call writes over
what belongs to another one.
"""

import re
from collections.abc import Iterator

from racehound.analysis.awaiting.awaits import LIFECYCLE
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.endings import RESETTING, TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.state.steps import Step
from racehound.model.doubt import Sureness, weaker
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.rules.rule import seen_from
from racehound.rules.state.call_state import is_of_call
from racehound.rules.state.guard_order import is_beginning
from racehound.source.events import SELF, Acquire, Action, Call, Pause, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_LOOKS = frozenset({Action.READ, Action.ITERATE})


def call_temporaries(
    program: Program, owner: ClassFacts, field: str, function: FunctionFacts, steps: list[Step]
) -> Iterator[tuple[Use, Use, Sureness]]:
    """The write and the look of one call, where the class is meant for several threads."""
    if not _is_a_call(function) or not _is_alone_with_it(program, owner, field, function):
        return
    write = steps[0]
    if not write.is_inside or write.use.function is not function or not is_made_by_the_call(write.use):
        return
    looks = [step for step in steps[1:] if step.use.touch.action in _LOOKS and step.is_inside]
    look = next((step for step in looks if _goes_on(function, write.at, step.at)), None)
    if look is None or write.locks & look.locks:
        return
    uses = Meetings(program).fields(owner)[field]
    sure = Meetings(program).certainty(owner, function, function, uses)
    if sure.doubt is MeetingDoubt.NO_SIGN and _takes_an_own_lock(function):
        sure = MeetingDoubt.BY_CLASS.likely  # whoever locks a part of it means the function for several threads
    if not sure.is_possible:
        yield write.use, seen_from(function, look), weaker(sure, HarmDoubt.OF_ONE_CALL.likely)


def _takes_an_own_lock(function: FunctionFacts) -> bool:
    return any(
        isinstance(event, Acquire)
        and not event.is_async
        and event.value.shape is Shape.PLACE
        and event.value.place is not None
        and event.value.place.root == SELF
        and _LOCK.search(event.value.place.attributes[-1]) is not None
        for event in function.events
    )


_LOCK = re.compile(r"(^|_)(r?lock|mutex|cond(ition)?)$")


def _is_a_call(function: FunctionFacts) -> bool:
    """False for steps, and for what is called once in the life of an object."""
    name = function.name
    if function.is_async or name.startswith("_") or not function.is_method:
        return False
    beginnings = LIFECYCLE.fullmatch(name) or TEARDOWN.match(name) or RESETTING.match(name)
    return beginnings is None and not is_beginning(function)


def _is_alone_with_it(program: Program, owner: ClassFacts, field: str, function: FunctionFacts) -> bool:
    uses = program.fields.of_class(owner).get(field, [])
    methods = {outer_method(use.function) for use in uses}
    return all(method is function or is_constructor(method) for method in methods)


def is_made_by_the_call(use: Use) -> bool:
    """True for an argument, for what is made from it, and for what the call has made and has in a variable."""
    if is_of_call(use):
        return True
    touch = use.touch
    if touch.action is not Action.WRITE or use.locks or not use.changes or not touch.values:
        return False
    return all(_is_own(use.function, value) for value in touch.values)


def _is_own(function: FunctionFacts, value: Value) -> bool:
    place = value.place
    if value.shape is not Shape.PLACE or place is None or place.attributes or place.root not in function.bound:
        return False
    made = function.bindings.get(place.root, ())
    return bool(made) and all(item.shape is Shape.CALL for item in made)


def _goes_on(function: FunctionFacts, write: int, look: int) -> bool:
    """True if something runs between the two that takes a while."""
    return any(isinstance(event, Call | Pause) for event in function.events[write + 1 : look])
