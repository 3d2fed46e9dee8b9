"""Uses of a field without its lock that are right, as a rule: nothing in the source shows that they are not."""

import re

from racehound.analysis.fields import Use
from racehound.analysis.ownership import TELLING
from racehound.analysis.pairs import Pair
from racehound.source.events import Action, Call, Place, Touch
from racehound.source.facts import FunctionFacts


def is_weak(pair: Pair, uses: list[Use]) -> bool:
    first, second = pair.first.function, pair.second.function
    if _only_tells(pair) or _is_beginning(first):
        return True
    return _is_last_writer(pair, uses) or (not pair.lock and _is_handed_over(first, second))


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


_BEGINNING = re.compile(r"_*(start|open|begin|launch|connect|restart|(set_?up|init|configure)(_\w+)?)")


def _is_beginning(function: FunctionFacts) -> bool:
    """True for what is done before others come: a start, a set-up, a property that is only stored."""
    if _BEGINNING.fullmatch(function.name):
        return True
    stores = [event for event in function.events if isinstance(event, Touch)]
    return len(stores) == 1 and any(place.attributes[-1:] == ("setter",) for place in function.decorators)


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
