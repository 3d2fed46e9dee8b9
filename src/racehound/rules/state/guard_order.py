"""Uses of a field without its lock that come before others, or after a step under the lock that settles it."""

import re

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.pairs import Pair
from racehound.source.events import SELF, Action, Call, Decision, Shape
from racehound.source.facts import ClassFacts, FunctionFacts

_BEGINNING = re.compile(
    r"_*(start(_\w+)?|open|begin|launch|connect(_to_\w+)?|restart|a?enter__|on_start(ed|up)?"
    r"|(set_?up|init|initiali[sz]e|configure)(_\w+)?|\w+_init)"
)


def is_arranged(program: Program, owner: ClassFacts, pair: Pair, uses: list[Use]) -> bool:
    function = outer_method(pair.first.function)
    if pair.first.changes:
        return _runs_at_beginning(program, owner, function)
    return _is_asked_again(program, owner, function) or _is_made_sure(pair, uses)


def is_beginning(function: FunctionFacts) -> bool:
    """True for what is done before others come."""
    return _BEGINNING.fullmatch(function.name) is not None


def is_lock_of_beginning(uses: list[Use], lock: int) -> bool:
    """True if whoever holds the lock begins: it keeps two beginnings apart, and none of those who come later."""
    held = {outer_method(use.function) for use in uses if use.locks & lock}
    return bool(held) and all(map(is_beginning, held))


def is_before_its_section(program: Program, pair: Pair) -> bool:
    """True for a constant that is stored before the function takes the lock itself: it sets up, then it begins."""
    use = pair.first
    constant = use.touch.action is Action.WRITE and all(
        value.shape is Shape.CONSTANT or (value.shape is Shape.CONTAINER and not value.arguments)
        for value in use.touch.values
    )
    held = program.locksets.within(use.function)
    looked = any(isinstance(event, Decision) for event in use.function.events[: use.index])
    return constant and not looked and any(locks & pair.lock for locks in held[use.index :])


def is_fast_path(program: Program, pair: Pair) -> bool:
    """True for `found = table.get(key) or self._make(key)`, where the helper looks again under the lock."""
    use = pair.first
    if use.changes or use.touch.method != "get":
        return False
    later = (event for event in use.function.events[use.index + 1 :] if isinstance(event, Call))
    helpers = (program.calls.target(use.function, event) for event in later)
    return any(
        locks & pair.lock for item in helpers if item is not None for locks in program.locksets.within(item)
    )


def _runs_at_beginning(program: Program, owner: ClassFacts, function: FunctionFacts) -> bool:
    """True for a step of a start that nobody else of the class takes."""
    calls = program.locksets.own_calls(owner).get(function.name, ())
    return bool(calls) and all(is_beginning(caller) for caller, _ in calls)


def _is_asked_again(program: Program, owner: ClassFacts, function: FunctionFacts) -> bool:
    """True for a look that whoever takes it without the lock takes again under it."""
    calls = program.locksets.own_calls(owner).get(function.name, ())
    locked = {caller for caller, index in calls if program.locksets.at(caller, index)}
    return bool(calls) and all(caller in locked for caller, _ in calls)


def _is_made_sure(pair: Pair, uses: list[Use]) -> bool:
    """True if the function has called, just before, the one that fills the field under the lock."""
    filling = {outer_method(use.function).name for use in uses if use.changes and use.locks & pair.lock}
    return any(
        isinstance(event, Call)
        and event.callee is not None
        and event.callee.root == SELF
        and event.callee.attributes[:1] in {(name,) for name in filling}
        for event in pair.first.function.events[: pair.first.index]
    )
