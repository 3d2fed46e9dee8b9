"""What makes a use without the lock a fault: a thread that is known to come, or steps that it takes apart.

That a lock is held elsewhere does not say by itself that two threads come to this field at the same time.
"""

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.hazards import is_none, is_tolerant
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.state.pairs import Pair
from racehound.source.events import Action, Decision
from racehound.source.facts import ClassFacts, FunctionFacts


def is_met(program: Program, owner: Owner, pair: Pair) -> bool:
    """True if one of the two runs in a thread that is known, and the other one elsewhere."""
    both = (pair.first.function, pair.second.function)
    if not isinstance(owner, ClassFacts):
        return any(map(program.contexts.all, both))
    return program.shared.is_own_thread(owner, *both) or Meetings(program).are_known_apart(owner, *both)


def is_whole(pair: Pair) -> bool:
    """True for `table.pop(key, None)`, and where what is missing is caught: one step, which minds nobody."""
    use = pair.first
    if pair.is_torn or use.touch.action not in {Action.MUTATE, Action.DELETE}:
        return False
    caught = any(attempt.guards(use.index, _MISSING) for attempt in use.function.attempts)
    return caught or is_tolerant(use)


def is_left_in_pieces(program: Program, owner: ClassFacts, pair: Pair, uses: list[Use]) -> bool:
    """True for `if self._open: return now - self._since > 30`, where a section under the lock ends both.

    What is looked at says that the other one is there, and it is None by then, which the use does not bear.
    """
    use, function = pair.first, pair.first.function
    alone = not any(other.function is function and other is not use for other in uses)
    if use.changes or not alone or not _needs_a_value(use):
        return False
    ending = {
        other.function
        for other in uses
        if other.changes and other.locks & pair.lock and any(map(is_none, other.touch.values))
    }
    others = (item for item in program.fields.of_class(owner).values() if item is not uses)
    return any(_is_ended_together(program, use, item, pair.lock, ending) for item in others)


def _is_ended_together(
    program: Program, use: Use, others: list[Use], lock: int, ending: set[FunctionFacts]
) -> bool:
    decided_by = program.awaits.paths(use.function).decided_by
    looks = (
        other
        for other in others
        if other.function is use.function and other.touch.action is Action.CHECK and not other.locks & lock
    )
    return any(decided_by(look.index, use.index) for look in looks) and any(
        other.changes and other.locks & lock and other.function in ending for other in others
    )


def _needs_a_value(use: Use) -> bool:
    """True for a comparison by size and for a call of a method: neither is there for None."""
    asked = (event for event in use.function.events if isinstance(event, Decision) and use.index in event.sources)
    return bool(use.touch.method) or any(event.test in _BY_SIZE for event in asked)


_BY_SIZE = frozenset({"<", ">", "<=", ">="})
_MISSING = frozenset({"KeyError", "ValueError", "LookupError"})
