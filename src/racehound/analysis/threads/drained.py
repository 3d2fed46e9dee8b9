"""Work that takes items from a queue and says when each is done: `queue.join()` waits for it."""

from racehound.analysis.meaning.calls import Calls
from racehound.source.events import Call, Place, Touch
from racehound.source.facts import FunctionFacts


def drained(calls: Calls, function: FunctionFacts, index: int) -> frozenset[Place]:
    """The calls, such as `queue.join`, that wait for the work that is started: nothing is put in after them."""
    call = function.events[index]
    spawn = calls.spawn(function, call) if isinstance(call, Call) else None
    target = calls.function(function, spawn.target) if spawn is not None else None
    if target is None or not target.calls_of("task_done"):
        return frozenset()
    at, done = target.calls_of("task_done")[-1]
    queue = done.receiver.place if done.receiver is not None else None
    if queue is None or queue.root in target.bound or queue.root in target.parameters:
        return frozenset()
    is_filled_here = function.module.callers.get("put", ()) == [function] and _is_filled_before(function, queue)
    if not is_filled_here or not _is_done_with(target, queue, at):
        return frozenset()
    return frozenset({Place(queue.root, (*queue.attributes, "join"))})


def _is_filled_before(function: FunctionFacts, queue: Place) -> bool:
    joins = [index for index, call in function.calls_of("join") if _is_of(call, queue)]
    return bool(joins) and all(index < joins[0] for index, _ in function.calls_of("put"))


def _is_done_with(target: FunctionFacts, queue: Place, at: int) -> bool:
    """True if nothing is touched but while there is an item."""
    begin = next((index for index, call in target.calls_of("get") if _is_of(call, queue)), at)
    touched = [
        index
        for index, event in enumerate(target.events)
        if isinstance(event, Touch) and event.place != queue and event.place.root not in target.bound
    ]
    return all(begin < index < at for index in touched)


def _is_of(call: Call, queue: Place) -> bool:
    return call.receiver is not None and call.receiver.place == queue
