"""Control dependence, read off the flow markers: what happens only because of how a decision went."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.source.events import Event, Exit, Flow


class Fork(NamedTuple):
    branches: tuple[tuple[int, int], ...]
    """First and last index, exclusive, of each."""
    join: int


def fork_at(events: Sequence[Event], start: int) -> Fork:
    """The alternatives of the FORK at `start`."""
    depth, begin = 0, start + 1
    branches: list[tuple[int, int]] = []
    for index in range(start + 1, len(events)):
        event = events[index]
        if event is Flow.FORK:
            depth += 1
        elif event is Flow.JOIN and depth:
            depth -= 1
        elif event is Flow.JOIN:
            branches.append((begin, index))
            return Fork(tuple(branches), index)
        elif event is Flow.ALTERNATIVE and not depth:
            branches.append((begin, index))
            begin = index + 1
    return Fork(((start + 1, len(events)),), len(events))


def leaves(events: Sequence[Event], start: int, end: int) -> bool:
    """True if no path goes through this range to its end."""
    index = start
    while index < end:
        if events[index] is Flow.LEAVE:
            return True
        if events[index] is Flow.FORK:
            fork = fork_at(events, index)
            if all(leaves(events, *branch) for branch in fork.branches):
                return True
            index = fork.join
        index += 1
    return False


def dependent(events: Sequence[Event], decision: int) -> tuple[tuple[int, int], ...]:
    """Ranges of indices that are reached, or not, by how the decision goes."""
    if decision + 1 < len(events) and events[decision + 1] is Flow.FORK:
        fork = fork_at(events, decision + 1)
        inside = (decision + 1, fork.join)
        if any(leaves(events, *branch) for branch in fork.branches):
            ends = any(_ends_function(events, *branch) for branch in fork.branches)
            return (inside, *behind(events, fork.join + 1, on=ends))
        return (inside,)
    return ((decision + 1, end_of_block(events, decision + 1)),)


def _ends_function(events: Sequence[Event], start: int, end: int) -> bool:
    """True if a branch that is left is left by `return` or `raise`, not for another round of a loop."""
    exits = [event for event in events[start:end] if isinstance(event, Exit)]
    return leaves(events, start, end) and all(event.kind in {"return", "raise"} for event in exits)


def behind(events: Sequence[Event], start: int, *, on: bool) -> Iterator[tuple[int, int]]:
    """The rest of the block, and, where the other way ends the function, of the blocks around it."""
    end = end_of_block(events, start)
    yield start, end
    if not on or leaves(events, start, end):
        return
    while end < len(events):
        if events[end] is Flow.ALTERNATIVE:
            end = _join_after(events, end)
        start = end + 1
        end = end_of_block(events, start)
        if start < end:
            yield start, end


def end_of_block(events: Sequence[Event], start: int) -> int:
    """Where the branch, the loop or the function around `start` ends."""
    depth = 0
    for index in range(start, len(events)):
        event = events[index]
        if event is Flow.FORK:
            depth += 1
        elif event is Flow.JOIN or event is Flow.ALTERNATIVE:
            if not depth:
                return index
            depth -= event is Flow.JOIN
        elif event is Flow.LOOP and not depth:
            return index
    return len(events)


def reaches_next_round(events: Sequence[Event], index: int, loops: int) -> bool:
    """True if a path leads from an event in a loop to the next round; `loops` of others lie between the two."""
    while index < len(events):
        event = events[index]
        if isinstance(event, Exit):
            if event.kind == "continue":
                return True
            if event.kind != "break" or not loops:
                return False
            index = _next_loop_mark(events, index) - 1
        elif event is Flow.FORK:
            fork = fork_at(events, index)
            inner = events[index + 1] is Flow.LOOP
            if not any(_goes_on(events, branch, loops + inner) for branch in fork.branches):
                return False
            index = fork.join
        elif event is Flow.ALTERNATIVE:
            index = _join_after(events, index)
        elif event is Flow.LOOP:
            if not loops:
                return True
            loops -= 1
        index += 1
    return False


def _goes_on(events: Sequence[Event], branch: tuple[int, int], loops: int) -> bool:
    """True if some path goes through the branch, or on to the next round."""
    index, end = branch
    while index < end:
        event = events[index]
        if isinstance(event, Exit):
            return event.kind == "continue" or (event.kind == "break" and loops > 0)
        if event is Flow.FORK:
            fork = fork_at(events, index)
            inner = events[index + 1] is Flow.LOOP
            if not any(_goes_on(events, branch, loops + inner) for branch in fork.branches):
                return False
            index = fork.join
        index += 1
    return True


def _join_after(events: Sequence[Event], index: int) -> int:
    depth = 0
    for position in range(index + 1, len(events)):
        if events[position] is Flow.FORK:
            depth += 1
        elif events[position] is Flow.JOIN:
            if not depth:
                return position
            depth -= 1
    return len(events)


def _next_loop_mark(events: Sequence[Event], index: int) -> int:
    return next((at for at in range(index, len(events)) if events[at] is Flow.LOOP), len(events))


def final_block(events: Sequence[Event], start: int) -> tuple[int, int]:
    """Where the `finally` of the TRY at `start` begins and ends."""
    depth, last = 0, len(events)
    for index in range(start + 1, len(events)):
        event = events[index]
        if event is Flow.TRY:
            depth += 1
        elif event is Flow.FINALLY and not depth:
            last = index
        elif event is Flow.END:
            if not depth:
                return last, index
            depth -= 1
    return last, len(events)
