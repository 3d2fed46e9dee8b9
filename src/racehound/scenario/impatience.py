"""Waits with a timeout, tried the other way round.

A search lets such a wait expire only when nobody else can go on: code that allows five seconds means that five
seconds are enough. Whether it would also be right if they were not is asked once more at the end, with every wait
free to expire at any moment. If nothing fails then either, the search has been complete; if something does, that
is no race, but the verdict says so.
"""

from collections.abc import Callable

from racehound.engine.company import TIMED_WAIT
from racehound.engine.execution import Trace
from racehound.engine.explorer import Explorer, Prepare, Search
from racehound.engine.strategy import SearchStrategy


def settle_timeouts(
    explorer: Explorer,
    prepare: Prepare,
    strategy: SearchStrategy,
    judge: Callable[[Trace], str | None],
    search: Search,
    *,
    seconds: float,
) -> Search:
    """The search, with what was found out about timeouts in place of the caveat that it left."""
    if not search.exhausted or search.failure is not None or TIMED_WAIT not in search.caveats or seconds <= 0:
        return search
    impatient = explorer.search(prepare, strategy, judge, seconds=seconds, impatient=True)
    search.executions += impatient.executions
    if impatient.failure is not None:
        search.caveats.discard(TIMED_WAIT)
        search.caveats.add(f"if a timeout or a timer comes early, {impatient.failure}")
    elif impatient.exhausted and impatient.broken_by is None:
        search.caveats.discard(TIMED_WAIT)
        search.caveats |= impatient.caveats
    return search
