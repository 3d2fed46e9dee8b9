"""Threads in the background, let have more rounds.

A search lets a thread that waits in a loop have a few rounds among the operations: enough for its races with them.
If nothing failed, and those few were all that kept the verdict from being safe, more of them are tried. A thread
that has worked off what the operations left it comes to rest then, and the search has been complete. Of one that
does something in every round, whatever the others do, no number of rounds is enough.
"""

from collections.abc import Callable
from dataclasses import replace

from racehound.engine.company import EVERY_ROUND, FEW_ROUNDS
from racehound.engine.control import CONTROL, FEW
from racehound.errors import HarnessError
from racehound.scenario.searched import Searched

MANY = 8


def settle_rounds(found: Searched, search: Callable[[], Searched]) -> Searched:
    """The search, or one with more rounds that says more."""
    first = found.search
    if not first.exhausted or first.failure is not None or FEW_ROUNDS not in first.caveats:
        return found
    if EVERY_ROUND in first.caveats:
        return found
    CONTROL.rounds = MANY
    try:
        more = search()
    except HarnessError:  # too long, or too much: what was found before holds
        return found
    finally:
        CONTROL.rounds = FEW
    return _settled(found, more)


def _settled(found: Searched, more: Searched) -> Searched:
    first, second = found.search, more.search
    both = first.executions + second.executions
    if second.failure is not None:
        said = first.caveats - {FEW_ROUNDS} | {f"if a task in the background has more rounds, {second.failure}"}
        return replace(found, search=replace(first, executions=both, caveats=said))
    if second.exhausted and FEW_ROUNDS not in second.caveats:
        return replace(more, search=replace(second, executions=both))
    return replace(found, search=replace(first, executions=both))
