"""Event loops that a class or a function runs in a thread of its own, and who touches them from outside."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.meaning.kinds import THREAD_CLASSES
from racehound.analysis.program import Program
from racehound.source.events import SELF, Bind, Call, Pause, Place, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_NEW = "asyncio.new_event_loop"
_MADE = frozenset({_NEW, "asyncio.get_event_loop"})
"""Whichever gave the loop, the thread that runs it is its own; one that is only given it need not run it."""
OF_LOOPS = {
    "asyncio.Queue": frozenset({"put_nowait", "get_nowait"}),
    "asyncio.Event": frozenset({"set", "clear"}),
    "asyncio.Future": frozenset({"set_result", "set_exception"}),
}
"""What belongs to the thread of the loop, and the methods that change it without waiting."""
_RUNS = frozenset({"run_forever", "run_until_complete"})


class LoopThread(NamedTuple):
    """A loop at a place, and the event that starts the thread it runs in."""

    place: Place
    function: FunctionFacts
    at: int


def started_here(program: Program, function: FunctionFacts) -> Iterator[LoopThread]:
    """Threads that a function starts for a loop it has made itself, in a variable or a field."""
    for index, event in enumerate(function.events):
        spawn = (
            program.calls.spawn(function, event) if isinstance(event, Call) and event.method == "Thread" else None
        )
        if spawn is not None:
            for place in _handed(program, function, spawn.target, spawn.arguments):
                yield LoopThread(place, function, index)


def _handed(
    program: Program, function: FunctionFacts, target: Value, arguments: tuple[Value, ...]
) -> Iterator[Place]:
    """The loop that the thread runs: `target=loop.run_forever`, `args=(loop,)`, a method that runs the field."""
    place = target.place
    if place is not None and place.attributes[-1:] and place.attributes[-1] in _RUNS:
        yield from _if_made(program, function, Place(place.root, place.attributes[:-1]), _MADE)
    for value in arguments:
        if value.shape is Shape.PLACE and value.place is not None:
            yield from _if_made(program, function, value.place, frozenset({_NEW}))
    work = program.calls.function(function, target)
    for event in work.events if work is not None and work.owner is function.owner else ():
        if isinstance(event, Call) and event.method in _RUNS and event.receiver is not None:
            inner = event.receiver.place
            if inner is not None and inner.root == SELF:
                yield from _if_made(program, function, inner, _MADE)


def _if_made(program: Program, function: FunctionFacts, place: Place, how: frozenset[str]) -> Iterator[Place]:
    if how & program.kinds.place(function, place) or _is_bound_new(function, place):
        yield place


def _is_bound_new(function: FunctionFacts, place: Place) -> bool:
    binds = (event for event in function.events if isinstance(event, Bind) and event.name == place.root)
    return not place.attributes and any(value.name == "new_event_loop" for bind in binds for value in bind.values)


def loops_begun(program: Program, function: FunctionFacts) -> Iterator[int]:
    """Calls that start a thread in which a method of the same object runs coroutines."""
    for index, event in function.calls_of("Thread"):
        spawn = program.calls.spawn(function, event)
        work = program.calls.function(function, spawn.target) if spawn is not None else None
        if work is not None and work.owner is function.owner and _runs_coroutines(work):
            yield index


def loop_run(program: Program, function: FunctionFacts) -> Iterator[int]:
    """Where the object is a thread, and its `run` runs a loop: `asyncio.run(self._main())`."""
    owner = function.owner
    if owner is not None and function.name == "run" and THREAD_CLASSES & program.hierarchy.outside_bases(owner):
        yield from (at for at, call in function.calls_of("run") if call.callee == _RUN)
        yield from (at for name in sorted(_RUNS) for at, _ in function.calls_of(name))


_RUN = Place("asyncio", ("run",))


def _runs_coroutines(function: FunctionFacts) -> bool:
    ran = any(call.callee == _RUN for _, call in function.calls_of("run"))
    return ran or any(function.calls_of(name) for name in _RUNS)


def waited_for(program: Program, owner: ClassFacts) -> dict[Place, str]:
    """Fields that hold a queue, an event or a future of asyncio which coroutines of the object wait for."""
    found: dict[Place, str] = {}
    for function in program.hierarchy.effective(owner):
        for event in function.events if function.is_async else ():
            place = event.value.place if isinstance(event, Pause) and not event.yields else None
            if place is not None and place.root == SELF:
                field = Place(SELF, place.attributes[:1])
                kinds = program.kinds.place(function, field)
                found.update((field, kind) for kind in kinds if isinstance(kind, str) and kind in OF_LOOPS)
    return found


def outside_calls(
    program: Program, thread: LoopThread, owner: ClassFacts | None, methods: frozenset[str]
) -> Iterator[tuple[FunctionFacts, int]]:
    """Calls on the loop from functions that do not run in it, after its thread was started."""
    if thread.place.root != SELF or owner is None:
        yield from _calls(thread.function, thread.place, methods, thread.at)
        return
    inside = _runs_in_loop(program, owner)
    for function in program.hierarchy.effective(owner):
        if function.is_async or function in inside or (function.parent is not None and not function.is_method):
            continue
        yield from _calls(function, thread.place, methods, thread.at if function is thread.function else -1)


def _calls(
    function: FunctionFacts, place: Place, methods: frozenset[str], after: int
) -> Iterator[tuple[FunctionFacts, int]]:
    if any(function.calls_of(name) for name in _RUNS):
        return  # this is the thread
    over = min((index for index, _ in function.calls_of("join")), default=len(function.events))
    for index, event in enumerate(function.events[:over]):
        if index > after and isinstance(event, Call) and _is_on(event, place, methods):
            yield function, index


def _is_on(call: Call, place: Place, methods: frozenset[str]) -> bool:
    """True for `loop.call_soon(...)`, and for `asyncio.ensure_future(..., loop=loop)`."""
    if call.method == "ensure_future":
        return any(word == "loop" and value.place == place for word, value in call.keywords)
    return call.method in methods and call.receiver is not None and call.receiver.place == place


def _runs_in_loop(program: Program, owner: ClassFacts) -> set[FunctionFacts]:
    """Methods that are handed over, or that coroutines call: whoever gets them may be the loop itself."""
    found: set[FunctionFacts] = set()
    for caller in program.hierarchy.effective(owner):
        for event in caller.events:
            if isinstance(event, Call):
                found.update(function for _, function in program.calls.handed_over(caller, event))
                target = program.calls.target(caller, event)
                if target is not None and (caller.is_async or caller in found):
                    found.add(target)
    return found
