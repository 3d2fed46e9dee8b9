"""What makes a use without the lock a fault: a thread that is known to come, or steps that it takes apart.

That a lock is held elsewhere does not say by itself that two threads come to this field at the same time.
"""

from racehound.analysis.hazards import is_tolerant
from racehound.analysis.meeting import Meetings, Owner
from racehound.analysis.pairs import Pair
from racehound.analysis.program import Program
from racehound.source.events import Action
from racehound.source.facts import ClassFacts


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


_MISSING = frozenset({"KeyError", "ValueError", "LookupError"})
