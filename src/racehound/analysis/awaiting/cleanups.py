"""Clean-up that waits: a cancellation that arrives there skips what is still to be given back.

A task that is cancelled runs its `finally` blocks, and may be cancelled once more in them; one that came to them
by itself may be cancelled there for the first time. What stands behind the await is then left undone.
"""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.coroutines import is_awaited
from racehound.analysis.awaiting.skipped import is_shielded
from racehound.analysis.flow.branches import final_block, fork_at, leaves
from racehound.analysis.program import Program
from racehound.source.events import Acquire, Call, Flow, Pause, Release, Shape, Value
from racehound.source.facts import FunctionFacts

CANCELLATION = frozenset({"CancelledError", "BaseException", "Cancelled"})
"""Names that a handler catches a cancellation by."""
GIVING_BACK = frozenset({"release", "cancel", "close", "abort", "terminate", "kill", "unlink", "rmtree"})
"""Calls by which something ends that others wait for, or that stays behind."""
_ENDED_ALREADY = frozenset({"wait_closed", "sleep", "gather", "wait", "wait_for", "join"})
"""Waits for what has been told to end: nothing is left undone in them."""
_DEPTH = 2


class Block(NamedTuple):
    """The events of a clean-up, as a half-open range."""

    function: FunctionFacts
    begin: int
    end: int


class Unfinished(NamedTuple):
    function: FunctionFacts
    wait: int
    """Index of the await that nothing shields."""
    undone: int | None
    """Index of the call that is not come to; None where only what is awaited may be left half done."""


def unfinished(program: Program, function: FunctionFacts) -> Iterator[Unfinished]:
    """For each clean-up of a coroutine, the first await that something hangs on."""
    if not function.is_async or Pause not in function.holds:
        return
    for block in _blocks(function):
        found = _of_block(program, block)
        if found is not None:
            yield found


def _blocks(function: FunctionFacts) -> Iterator[Block]:
    if function.name == "__aexit__":
        yield Block(function, 0, len(function.events))
        return
    for start, event in enumerate(function.events):
        if event is Flow.TRY:
            yield Block(function, *final_block(function.events, start))
    for attempt in function.attempts:
        for caught in attempt.handlers:
            if not caught.names or CANCELLATION & set(caught.names):
                yield Block(function, *caught.events)


def _of_block(program: Program, block: Block, depth: int = _DEPTH) -> Unfinished | None:
    """The first await with something undone behind it, in the block or in a coroutine that it awaits."""
    function, begin, end = block
    waits = [index for index in range(begin, end) if _is_open_wait(block, index)]
    for wait in waits:
        undone = next((index for index in range(wait + 1, end) if _is_skipped(block, wait, index)), None)
        if undone is not None:
            return Unfinished(function, wait, undone)
    for wait in waits if depth else ():
        step = _awaited(program, function, wait)
        inner = _of_block(program, Block(step, 0, len(step.events)), depth - 1) if step is not None else None
        if inner is not None and inner.undone is not None:
            return inner
    lasting = [wait for wait in waits if not _is_for_an_end(function.events[wait])]
    return Unfinished(function, lasting[0], None) if lasting else None


def _awaited(program: Program, function: FunctionFacts, wait: int) -> FunctionFacts | None:
    """The coroutine function of the program that an await runs."""
    call = function.events[wait - 1] if wait else None
    if not isinstance(call, Call) or not is_awaited(function, wait - 1):
        return None
    target = program.calls.target(function, call)
    return target if target is not None and target.is_async and target is not function else None


def _is_open_wait(block: Block, index: int) -> bool:
    """True for an await at which a cancellation leaves the block."""
    event = block.function.events[index]
    if not isinstance(event, Pause) or event.yields or event.value.name == "shield":
        return False
    if is_shielded(block.function, index) or _is_suppressed(block, index):
        return False
    inner = (item for item in block.function.attempts if block.begin <= item.begin)
    return not any(item.guards(index, CANCELLATION) for item in inner)


def _is_suppressed(block: Block, index: int) -> bool:
    """True inside `with suppress(CancelledError):`."""
    before = block.function.events[block.begin : index]
    entered = sum(isinstance(event, Acquire) and _suppresses(event.value) for event in before)
    return entered > sum(isinstance(event, Release) and _suppresses(event.value) for event in before)


def _suppresses(value: Value) -> bool:
    last = (item.place for item in value.arguments if item.place is not None)
    named = {(place.attributes or (place.root,))[-1] for place in last}
    return value.name == "suppress" and not named.isdisjoint(CANCELLATION)


def _is_for_an_end(event: object) -> bool:
    """True for `await task` and its like: what is awaited ends by itself, whether or not somebody waits."""
    if not isinstance(event, Pause):
        return True
    return event.value.shape is not Shape.CALL or event.value.name in _ENDED_ALREADY


def _is_skipped(block: Block, wait: int, index: int) -> bool:
    """True for a call that gives something back, and that a cancellation at the await keeps from happening."""
    function, begin, _ = block
    call = function.events[index]
    if not isinstance(call, Call) or call.method not in GIVING_BACK or call.receiver is None:
        return False
    if is_awaited(function, index) or not _follows(block, wait, index):
        return False
    starts = (at for at in range(begin, wait) if function.events[at] is Flow.TRY)
    if _is_told_before(function, wait, call) or _is_made_up_for(block, wait, call):
        return False
    return not any(
        wait < final_block(function.events, start)[0] <= index < final_block(function.events, start)[1]
        for start in starts
    )


def _is_told_before(function: FunctionFacts, wait: int, call: Call) -> bool:
    """True for `task.cancel()` that was called before, too: the one behind the wait only says it again."""
    return call.method in _TELLING and any(
        event.callee == call.callee and at < wait and _is_always_before(function, at, wait)
        for at, event in function.calls_of(call.method)
    )


def _is_always_before(function: FunctionFacts, at: int, wait: int) -> bool:
    """False where a branch that does not lead to the wait has it."""
    forks = (fork_at(function.events, index) for index in range(at) if function.events[index] is Flow.FORK)
    branches = (branch for fork in forks for branch in fork.branches)
    return all(begin <= wait < end for begin, end in branches if begin <= at < end)


_TELLING = frozenset({"abort", "cancel", "kill", "terminate"})


def _is_made_up_for(block: Block, wait: int, call: Call) -> bool:
    """True if a handler of the cancellation, around the await, gives the same back before it raises again."""
    function, begin, _ = block
    around = (item for item in function.attempts if begin <= item.begin <= wait < item.end)
    caught = (item for attempt in around for item in attempt.handlers)
    return any(
        isinstance(event, Call) and event.callee == call.callee
        for item in caught
        if not item.names or CANCELLATION & set(item.names)
        for event in function.events[slice(*item.events)]
    )


def _follows(block: Block, wait: int, index: int) -> bool:
    """True if a path leads from the await to the call."""
    events = block.function.events
    for at in range(block.begin, wait):
        if events[at] is Flow.FORK:
            fork = fork_at(events, at)
            own = next((branch for branch in fork.branches if branch[0] <= wait < branch[1]), None)
            if own is None:
                continue
            if not own[0] <= index < own[1] and (index < fork.join or leaves(events, wait, own[1])):
                return False
    return True
