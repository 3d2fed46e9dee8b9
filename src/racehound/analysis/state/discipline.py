"""How the uses of one field go together: the lock most of them hold, who holds none, who needs several steps."""

from collections import Counter
from collections.abc import Iterable, Mapping

from racehound.analysis.flow.branches import fork_at, leaves
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.fields import Use
from racehound.source.events import Action, Decision, Event, Flow, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts

_DECIDES_AND_WRITES = frozenset({Decision, Action.WRITE})
_RESIZES = frozenset({Action.MUTATE, Action.WRITE_ITEM, Action.DELETE})


def usual_lock(uses: Iterable[Use]) -> int:
    """The bit of the lock that guards the field: held at a change, and most often; 0 where there is none."""
    uses = list(uses)
    held = Counter(bit for use in uses for bit in _bits(use.locks))
    candidates = {bit for use in uses if use.changes for bit in _bits(use.locks)}
    return max(candidates, key=lambda bit: (held[bit], -bit), default=0)


def most_common(names: Iterable[str]) -> str | None:
    """The first of those that are there most often."""
    counted = Counter(names)
    return max(counted, key=counted.__getitem__, default=None)


def _bits(held: int) -> Iterable[int]:
    while held:
        lowest = held & -held
        yield lowest
        held ^= lowest


def bare(uses: Iterable[Use], lock: int) -> list[Use]:
    """Uses without any lock; a look before taking the lock is none, for the look is taken again inside."""
    uses = list(uses)
    guarded = {outer_method(use.function) for use in uses if use.locks & lock}
    return [use for use in uses if not use.locks and (use.changes or outer_method(use.function) not in guarded)]


def is_majority(uses: Iterable[Use], lock: int) -> bool:
    """At least two uses hold the lock, and two of three do: the author means it."""
    held = [bool(use.locks & lock) for use in uses]
    return sum(held) >= 2 and 3 * sum(held) >= 2 * len(held)


def is_flag(changes: Iterable[Use]) -> bool:
    """True if all that is ever stored are constants: True, False, None, a state name. Each store stands alone."""
    return all(
        use.touch.action is Action.WRITE
        and not use.touch.sources
        and bool(use.touch.values)
        and all(value.shape is Shape.CONSTANT for value in use.touch.values)
        for use in changes
    )


def is_state(value: Value) -> bool:
    """True for a state that has a name: `RUNNING`, `State.OPEN`."""
    return value.place is not None and (value.place.attributes or (value.place.root,))[-1].isupper()


def has_steps(use: Use, uses: Iterable[Use]) -> bool:
    """True for a change that depends on an earlier look at the same field, with no lock over both."""
    if not use.changes:
        return False
    if own_read(use.function, use.index) is not None:
        return True
    return any(
        other.function is use.function
        and other.index < use.index
        and other.touch.action is Action.CHECK
        and not other.locks & use.locks
        for other in uses
    )


def is_disturbed(iterating: Use, other: Use) -> bool:
    """True if one use iterates what the other resizes."""
    return iterating.touch.action is Action.ITERATE and other.changes and other.touch.action in _RESIZES


def runs_once(function: FunctionFacts) -> bool:
    """True for a function that works the first time only: it leaves early by a flag that it sets itself."""
    if not function.holds >= _DECIDES_AND_WRITES:
        return False
    events = function.events
    set_last = {event.place: at for at, event in enumerate(events) if type(event) is Touch and _sets(event)}
    return bool(set_last) and any(
        _leaves_by(events, index, event, set_last)
        for index, event in enumerate(events)
        if type(event) is Decision and events[index + 1] is Flow.FORK
    )


def _leaves_by(events: list[Event], index: int, decision: Decision, set_last: Mapping[Place, int]) -> bool:
    """True if the decision hangs on a flag that is set further down, and nothing else is done one way."""
    looked = (event for source in decision.sources if type(event := events[source]) is Touch)
    if not any(set_last.get(touch.place, 0) > index for touch in looked):
        return False
    return leaves(events, *fork_at(events, index + 1).branches[0])


def _sets(touch: Touch) -> bool:
    return touch.action is Action.WRITE and any(value.name == "True" for value in touch.values)


def functions(uses: Iterable[Use]) -> tuple[FunctionFacts, ...]:
    return tuple(dict.fromkeys(use.function for use in uses))
