"""Which decisions and loops stand around an event, and in which of their branches it stands."""

from collections.abc import Sequence

from racehound.source.events import Event, Flow

Around = frozenset[tuple[int, int]]
"""Index of each FORK around, with the number of the branch."""


def around(events: Sequence[Event], index: int) -> Around:
    found: list[tuple[int, int]] = []
    for at in range(min(index, len(events))):
        if events[at] is Flow.FORK:
            found.append((at, 0))
        elif events[at] is Flow.ALTERNATIVE and found:
            fork, branch = found.pop()
            found.append((fork, branch + 1))
        elif events[at] is Flow.JOIN and found:
            found.pop()
    return frozenset(found)


def loops_in(events: Sequence[Event], surroundings: Around) -> Around:
    """Those of them that are loops."""
    return frozenset(item for item in surroundings if events[item[0] + 1] is Flow.LOOP)
