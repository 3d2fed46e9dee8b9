"""What is called from outside so that a function runs."""

from racehound.analysis.locking.locksets import Locksets, is_constructor
from racehound.source.facts import FunctionFacts


def entrances(locksets: Locksets, function: FunctionFacts) -> tuple[FunctionFacts, ...]:
    """The function itself, or its callers where it counts on a lock that all of these hold.

    Whoever calls such a step alone does what the program never does.
    """
    found: dict[FunctionFacts, None] = {}
    waiting, seen = [function], {function}
    while waiting:
        step = waiting.pop(0)
        callers = locksets.callers(step.owner).get(step) if step.owner is not None else None
        if not callers or not locksets.entry(step):
            found[step] = None
            continue
        further = dict.fromkeys(caller for caller, _ in callers if caller not in seen)
        seen.update(further)
        waiting.extend(further)
    return tuple(found)


def callers_outside(locksets: Locksets, function: FunctionFacts) -> tuple[FunctionFacts, ...]:
    """Those that lead to a private function and are called by others: they pass the arguments that it takes."""
    found: dict[FunctionFacts, None] = {}
    waiting, seen = [function], {function}
    while waiting:
        step = waiting.pop(0)
        callers = locksets.callers(step.owner).get(step) if step.owner is not None else None
        if not callers:
            found[step] = None
            continue
        further = dict.fromkeys(caller for caller, _ in callers if caller not in seen)
        seen.update(further)
        waiting.extend(further)
    return tuple(step for step in found if step is not function and not is_constructor(step))
