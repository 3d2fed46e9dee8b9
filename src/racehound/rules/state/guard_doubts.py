"""Uses of a field without its lock that are right, as a rule: nothing in the source shows that they are not."""

from racehound.analysis.program import Program
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.endings import RESETTING
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_idempotent, is_maker, is_none, is_tolerant
from racehound.analysis.state.ownership import TELLING
from racehound.analysis.state.pairs import Pair
from racehound.model.doubt import Doubt
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.rules.state.guard_order import is_beginning
from racehound.source.events import SELF, Action, Call, Exit, Place, Shape, Touch, Value
from racehound.source.facts import ClassFacts, FunctionFacts


def is_lock_for_others(program: Program, owner: ClassFacts, uses: list[Use]) -> bool:
    """True if the class changes another field under a lock: what it is for need not be this one.

    Where the other one is changed beside this one only, and elsewhere without the lock as well, the lock says as
    much of either.
    """
    together = {use.function for use in uses if use.changes and use.locks}
    others = (item for item in program.fields.of_class(owner).values() if item is not uses)
    return any(_is_kept_under_lock([use for use in item if use.changes], together) for item in others)


def _is_kept_under_lock(changes: list[Use], together: set[FunctionFacts]) -> bool:
    locked = {use.function for use in changes if use.locks}
    return bool(locked) and (not locked <= together or all(use.locks for use in changes))


def weakness(pair: Pair, uses: list[Use], *, is_met: bool) -> Doubt | None:
    """`is_met`: both are known to run in threads, or the one without the lock in a thread that has the object."""
    first, second = pair.first.function, pair.second.function
    if _only_tells(pair):
        return HarmDoubt.ONLY_TELLS
    if _is_beginning(first):
        return MeetingDoubt.AT_THE_BEGINNING
    if _stores_the_same(pair):
        return HarmDoubt.SAME_STORED
    if _starts_over_for_all(pair):
        return HarmDoubt.STARTS_OVER_FOR_ALL
    if pair.lock and _is_single_step(pair, uses, is_met=is_met):
        return HarmDoubt.SINGLE_STEP
    if pair.lock and _is_chosen(pair, uses):
        return HarmDoubt.CHOSEN
    if _is_last_writer(pair, uses):
        return HarmDoubt.LAST_WRITER
    return HarmDoubt.HANDED_OVER if not pair.lock and _is_handed_over(first, second) else None


def _starts_over_for_all(pair: Pair) -> bool:
    """True for a class method that empties what all objects have in common, as tests do between two of them."""
    function = pair.first.function
    common = any(place.root in {"classmethod", "staticmethod"} for place in function.decorators)
    values = pair.first.touch.values
    empties = bool(values) and all(
        is_none(value) or (value.shape is Shape.CONTAINER and not value.arguments) for value in values
    )
    return common and empties and RESETTING.match(function.name) is not None


def _stores_the_same(pair: Pair) -> bool:
    """True if both store what the same call gives, which does not matter twice: `self._start = file.tell()`."""
    first, second = pair.first.touch.values, pair.second.touch.values
    calls = bool(first) and all(value.shape is Shape.CALL for value in first)
    if not first and not second:
        return _unpacks_the_same(pair)
    return calls and first == second and is_idempotent(pair.first)


def _unpacks_the_same(pair: Pair) -> bool:
    """True for `self._pin, self._cookie = pin_and_cookie(self.app)` in both, where only that line is read."""
    made = [_unpacked(use) for use in (pair.first, pair.second)]
    return made[0] is not None and made[0] == made[1] and not is_maker(made[0].name)


def _unpacked(use: Use) -> Value | None:
    """The call whose result is taken apart at a store, by way of a variable or at once."""
    calls = [event for at in use.touch.sources if isinstance(event := use.function.events[at], Call)]
    if use.touch.action is not Action.WRITE or len(calls) != 1:
        return None
    call = calls[0]
    return Value(Shape.CALL, call.method, call.callee, call.arguments, call.keywords)


def _is_chosen(pair: Pair, uses: list[Use]) -> bool:
    """True if the function changes the field under the lock on another path: whoever wrote it knows the lock."""
    return pair.first.changes and any(
        use.function is pair.first.function and use.changes and use.locks & pair.lock for use in uses
    )


def _is_single_step(pair: Pair, uses: list[Use], *, is_met: bool) -> bool:
    """True if the accused does one thing, whole, and nothing shows that a section under the lock counts on it.

    A look may be a moment old, and a store may come a moment too early; both are most often meant.
    """
    if pair.has_steps or pair.is_torn:
        return False
    if not pair.first.changes:
        return not pair.is_snapshot
    own = not is_tolerant(pair.first) and any(
        use.function is pair.first.function and use.index < pair.first.index for use in uses
    )
    held = [use for use in uses if use.locks & pair.lock]
    empties = not is_met and _empties(pair)
    counts = own or (not empties and _are_updated(held)) or (_takes_away(pair.first.touch) and _are_decided(held))
    return not counts


def _empties(pair: Pair) -> bool:
    """True for what is most often done when nobody is at work."""
    touch = pair.first.touch
    return touch.method == "clear" or any(map(is_none, touch.values)) or _resets(pair)


def _resets(pair: Pair) -> bool:
    """True for `self.count = 0` in a method that begins anew, but not for one entry that the caller names."""
    values = pair.first.touch.values
    key = pair.first.touch.key
    if key is not None and key[1:-1] in pair.first.function.parameters:
        return False
    constant = bool(values) and all(value.shape is Shape.CONSTANT for value in values)
    return constant and RESETTING.match(pair.first.function.name) is not None


def _takes_away(touch: Touch) -> bool:
    """A deletion, or a step to a state that has a name."""
    names = (str(value.place).rpartition(".")[2] for value in touch.values if value.shape is Shape.PLACE)
    return touch.action is Action.DELETE or any(name.isupper() for name in names)


def _are_updated(held: list[Use]) -> bool:
    """True if a section under the lock writes back what it makes of the old value: a store between is undone."""
    return any(own_read(use.function, use.index) is not None for use in held if use.changes)


def _are_decided(held: list[Use]) -> bool:
    """True if a section under the lock looks at the field and changes it by what it saw."""
    looks = {use.function: use.index for use in reversed(held) if use.touch.action is Action.CHECK}
    return any(looks.get(use.function, use.index) < use.index for use in held if use.changes)


def _only_tells(pair: Pair) -> bool:
    return not pair.first.changes and TELLING.fullmatch(pair.first.function.name) is not None


def _is_last_writer(pair: Pair, uses: list[Use]) -> bool:
    """True for one store of something whole, where nobody decides or computes by what is there what to store."""
    own = [use for use in uses if use.function is pair.first.function]
    changes = [use for use in uses if use.changes]
    if len(own) > 1 or any(use.touch.action is not Action.WRITE for use in changes):
        return False
    looks = {use.function: use.index for use in reversed(uses) if not use.changes}
    return all(looks.get(use.function, use.index) >= use.index for use in changes)


def _is_beginning(function: FunctionFacts) -> bool:
    """True for what is done before others come: a start, a set-up, a property that is only stored."""
    if is_beginning(function) or stands_in(function):
        return True
    stores = [event for event in function.events if isinstance(event, Touch)]
    return len(stores) == 1 and any(place.attributes[-1:] == ("setter",) for place in function.decorators)


def stands_in(function: FunctionFacts) -> bool:
    """True for `__call__` of a decorator that stands in for what it is given, while a class is made."""
    answers = (event.value.place for event in function.events if isinstance(event, Exit))
    return function.name == "__call__" and Place(SELF) in answers


def _is_handed_over(first: FunctionFacts, second: FunctionFacts) -> bool:
    """True if one of the two waits for an event that the other one sets: what it finds was put there for it."""
    return any(_events(one, "wait") & _events(other, "set") for one, other in ((first, second), (second, first)))


def _events(function: FunctionFacts, method: str) -> set[Place]:
    return {
        event.receiver.place
        for event in function.events
        if isinstance(event, Call)
        and event.method == method
        and event.receiver is not None
        and event.receiver.place
    }
