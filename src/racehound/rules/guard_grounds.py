"""What makes a use without the lock a fault: a thread that is known to come, or steps that it takes apart.

That a lock is held elsewhere does not say by itself that two threads come to this field at the same time.
"""

from racehound.analysis.meeting import Meetings, Owner
from racehound.analysis.pairs import Pair
from racehound.analysis.program import Program
from racehound.source.facts import ClassFacts


def is_met(program: Program, owner: Owner, pair: Pair) -> bool:
    """True if one of the two runs in a thread that is known, and the other one elsewhere."""
    both = (pair.first.function, pair.second.function)
    if not isinstance(owner, ClassFacts):
        return any(map(program.contexts.all, both))
    return program.shared.is_own_thread(owner, *both) or Meetings(program).are_known_apart(owner, *both)
