"""Whether anything holds the task that a call gives back: the loop itself does not."""

from racehound.analysis.awaiting.coroutines import is_awaited
from racehound.analysis.meaning.kinds import Kinds
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.task_doubts import TaskDoubt
from racehound.source.events import Bind, Call, Pause, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts

CALLERS_OF_CALLBACKS = frozenset(
    {"call_soon", "call_soon_threadsafe", "call_later", "call_at", "add_signal_handler"}
    | {"add_done_callback", "add_reader", "add_writer"}
)
"""They have the loop call what they are given, and what that returns is thrown away."""
_WEAK = frozenset({"add_done_callback", "remove_done_callback", "set_name", "get_name", "done", "cancelled"})
"""Methods of a task that leave nobody holding it."""
_WEAK_SETS = frozenset({"weakref.WeakSet", "_weakrefset.WeakSet"})
_RUNNERS = frozenset({"run", "run_forever", "run_until_complete", "serve_forever", "mainloop"})


def loss(kinds: Kinds, function: FunctionFacts, index: int) -> Sureness | None:
    """How surely the task of a call is lost; None where something keeps it."""
    if index in function.discarded:
        return CERTAIN
    if _is_for_the_loop(function, index):
        return TaskDoubt.FOR_THE_LOOP.likely
    if _only_looks(kinds, function, index):
        return TaskDoubt.ONLY_LOOKED_AT.likely
    following = next_of(function, index)
    if not isinstance(following, Bind) or is_awaited(function, index):
        return None
    if uses(function, following.name) - _weak_keeps(kinds, function, following.name):
        return None
    if following.name in function.shared_names or len(following.values) != 1:
        return None
    rest = function.events[index + 1 :]
    if not function.is_async and any(isinstance(event, Call) and event.method in _RUNNERS for event in rest):
        return None  # the variable lives as long as the loop that is run here
    waits = any(isinstance(event, Pause) for event in rest)
    return TaskDoubt.HELD_WHILE_WAITING.possible if waits else TaskDoubt.UNTIL_RETURN.likely


def _only_looks(kinds: Kinds, function: FunctionFacts, index: int) -> bool:
    """True for `create_task(work()).add_done_callback(told)` and for `weak_set.add(create_task(work()))`."""
    start, outer = function.events[index], _around(function, index)
    if (
        not isinstance(start, Call)
        or outer is None
        or all(value.shape is Shape.PLACE for value in start.arguments)
    ):
        return False  # `ensure_future(future)` of what somebody may hold
    if outer.method in _WEAK:
        return outer.receiver is not None and _is_made_by(start, outer.receiver)
    is_given = any(_is_made_by(start, value) for value in outer.arguments[:1])
    return is_given and _is_weak_set(kinds, function, outer)


def _around(function: FunctionFacts, index: int) -> Call | None:
    """The call that a call stands in, where nobody keeps what it gives."""
    for at in range(index + 1, len(function.events)):
        event = function.events[at]
        if not isinstance(event, Call | Touch):
            return None
        if isinstance(event, Call) and at in function.discarded:
            return event
    return None


def _is_made_by(start: Call, value: Value) -> bool:
    return value.shape is Shape.CALL and value.place == start.callee and value.name == start.method


def _weak_keeps(kinds: Kinds, function: FunctionFacts, name: str) -> int:
    """How often a local variable is put where it is not held."""
    return sum(
        any(value.place == Place(name) for value in call.arguments) and _is_weak_set(kinds, function, call)
        for _, call in function.calls_of("add")
    )


def _is_weak_set(kinds: Kinds, function: FunctionFacts, call: Call) -> bool:
    receiver: Value | None = call.receiver
    return call.method == "add" and receiver is not None and bool(kinds.value(function, receiver) & _WEAK_SETS)


def _is_for_the_loop(function: FunctionFacts, index: int) -> bool:
    """True for `loop.call_later(1, lambda: ensure_future(work()))`: the lambda hands the task to nobody."""
    outer = function.parent
    if outer is None or not function.name.startswith("<lambda") or index + 1 < len(function.events):
        return False
    return any(
        isinstance(event, Call)
        and event.method in CALLERS_OF_CALLBACKS
        and any(
            value.shape is Shape.FUNCTION and value.name == function.qualified_name for value in event.arguments
        )
        for event in outer.events
    )


def next_of(function: FunctionFacts, index: int) -> object:
    """What follows a call, unless the function is left with it."""
    following = function.events[index + 1] if index + 1 < len(function.events) else None
    return following if isinstance(following, Bind | Call | Pause) else None


def uses(function: FunctionFacts, name: str) -> int:
    """How often a local variable is used in a way that may keep its value: `while not task.done()` does."""
    bound = (event.loop for event in function.events if isinstance(event, Bind) and event.name == name)
    started = min(bound, default=0)
    weak = sum(
        isinstance(event, Call)
        and event.callee == Place(name, (event.method,))
        and event.method in _WEAK
        and not (event.method == "done" and event.loop > started)
        for event in function.events
    )
    nested = [item for item in function.module.functions if item.parent is function]
    return function.loads.get(name, 0) - weak + sum(_uses_inside(item, name) for item in nested)


def _uses_inside(function: FunctionFacts, name: str) -> int:
    return 0 if name in function.bound or name in function.parameters else function.loads.get(name, 0)
