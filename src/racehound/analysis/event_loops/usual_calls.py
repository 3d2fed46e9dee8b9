"""The calls that a function makes in its usual course: no branch that its caller may never take.

What is done the first time counts, `if self._rates is None: self._rates = load()`: there is a first time. So does
what comes after a look that raises, that answers from what is there already, or that ends a loop.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from racehound.analysis.meaning.calls import Calls
from racehound.source.events import SELF, Action, Call, Decision, Event, Exit, Flow, Place, Touch
from racehound.source.facts import FunctionFacts

_FILLS = frozenset({Action.WRITE, Action.WRITE_ITEM})
_LOOKS = frozenset({"exists", "isfile", "is_file", "isdir", "is_dir", "lexists"})
_GOES_ON = frozenset({"raise", "break", "continue"})
"""Ways out of a branch that leave the usual course to what comes after it."""


@dataclass(slots=True)
class _Branch:
    is_optional: bool
    is_loop: bool = False
    is_first_time: bool = False
    is_handler: bool = False


def usual_calls(calls: Calls, function: FunctionFacts) -> Iterator[Call]:
    begins = {index for attempt in function.attempts for index in (attempt.begin, attempt.begin + 1)}
    events = function.events
    branches: list[_Branch] = []
    for index, event in enumerate(events):
        if event is Flow.FORK:
            branches.append(_branch(calls, function, index, is_attempt=index in begins))
        elif event is Flow.ALTERNATIVE:
            _turn(branches[-1])
        elif event is Flow.JOIN:
            branches.pop()
        elif event is Flow.LEAVE:
            if not _goes_on(events[index - 1], branches):
                return
        elif isinstance(event, Call) and not any(branch.is_optional for branch in branches):
            yield event


def _branch(calls: Calls, function: FunctionFacts, fork: int, *, is_attempt: bool) -> _Branch:
    if is_attempt or function.events[fork + 1] is Flow.LOOP:
        return _Branch(is_optional=False, is_loop=not is_attempt)
    first = _is_first_time(calls, function, fork)
    return _Branch(is_optional=not first, is_first_time=first)


def _turn(branch: _Branch) -> None:
    """After the body of a `try` come its handlers, which seldom run."""
    if not branch.is_first_time:
        branch.is_handler = branch.is_handler or not branch.is_optional
        branch.is_optional = True


def _goes_on(leaving: Event, branches: list[_Branch]) -> bool:
    """Whatever leaves here, the usual course is what comes after it."""
    if not branches:
        return False
    is_aside = branches[-1].is_first_time or any(branch.is_handler for branch in branches)
    goes_round = branches[-1].is_optional and any(branch.is_loop for branch in branches)
    return is_aside or goes_round or (isinstance(leaving, Exit) and leaving.kind in _GOES_ON)


def _is_first_time(calls: Calls, function: FunctionFacts, fork: int) -> bool:
    """True for a look for a file, and at state that the function, or a method that it calls, fills."""
    decision = function.events[fork - 1] if fork else None
    if not isinstance(decision, Decision):
        return False
    asked = [function.events[index] for index in decision.sources]
    if any(isinstance(event, Call) and event.method in _LOOKS for event in asked):
        return True
    looked = {event.place for event in asked if isinstance(event, Touch)}
    return any(_is_kept(function, place) and _is_filled(calls, function, place) for place in looked)


def _is_kept(function: FunctionFacts, place: Place) -> bool:
    return place.root == SELF or (place.root not in function.bound and place.root not in function.parameters)


def _is_filled(calls: Calls, function: FunctionFacts, place: Place) -> bool:
    helpers = [
        calls.target(function, event)
        for event in function.events
        if isinstance(event, Call) and event.callee is not None and event.callee.root in {SELF, event.method}
    ]
    fillers = [function, *(item for item in helpers if item is not None and item.owner is function.owner)]
    return any(
        isinstance(event, Touch) and event.action in _FILLS and event.place == place
        for filler in fillers
        for event in filler.events
    )
