"""The part of RH102 that speaks of memory between processes: `counter.value += 1` is two steps, and they meet."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from racehound.analysis.meaning.constructions import constructions
from racehound.analysis.program import Program
from racehound.analysis.state.compound import updates
from racehound.analysis.state.fields import Use
from racehound.analysis.threads.activations import Context
from racehound.model.finding import Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.rules.rule import Accusation, owner_of
from racehound.source.events import Action, Call, Event, Place, Shape, Touch, Value
from racehound.source.facts import FunctionFacts, ModuleFacts

_SHARED = frozenset(
    f"multiprocessing.{module}{name}"
    for module in ("", "sharedctypes.")
    for name in ("Value", "RawValue", "Array", "RawArray")
)
_PROCESSES = frozenset({"multiprocessing.Process", "multiprocessing.context.Process"})
_POOLS = frozenset(
    {
        *("multiprocessing.Pool", "multiprocessing.pool.Pool"),
        *("concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process.ProcessPoolExecutor"),
    }
)
_GIVING = ("map", "imap", "imap_unordered", "starmap", "map_async", "apply_async", "submit")
_MAKING = ("Pool", "ProcessPoolExecutor")
_NEAR = 2
"""Calls of calls that are followed from where a process begins."""


class _Beginning(NamedTuple):
    function: FunctionFacts
    context: Context
    given: frozenset[str]
    """Names of memory that all of the processes have."""


def shared_updates(program: Program) -> Iterator[Accusation]:
    """Updates of memory by several processes at once, with no lock held."""
    for module in program.modules:
        if any(name.startswith(("multiprocessing", "concurrent")) for name in module.imports.values()):
            variables = frozenset(_set_by_initializers(program, module))
            for beginning in (*_beginnings(program, module), *_objects(program, module)):
                for function in _reached(program, beginning.function):
                    given = beginning.given if function is beginning.function else frozenset[str]()
                    yield from _updates(program, function, given | variables, beginning.context)


def _beginnings(program: Program, module: ModuleFacts) -> Iterator[_Beginning]:
    """Functions that several processes run."""
    for caller in dict.fromkeys(item for name in ("Process", *_GIVING) for item in module.callers.get(name, ())):
        starts = list(_starts(program, caller))
        for at, (call, target, values) in enumerate(starts):
            twice = any(other is target for _, other, _ in starts[:at])
            if call.loop or call.method in _GIVING or twice:
                given = _of_memory(program, caller, target.parameters[target.is_method :], values)
                context = Context("one of several processes", module.path, call.span.line, many=True)
                yield _Beginning(target, context, given)


def _objects(program: Program, module: ModuleFacts) -> Iterator[_Beginning]:
    """Classes derived from Process, of which several objects are made with the same memory."""
    hierarchy = program.hierarchy
    kinds = [item for item in module.classes if item.bases and _PROCESSES & hierarchy.outside_bases(item)]
    for maker, call, item in constructions(program.modules, program.calls, kinds) if kinds else ():
        made, run = item.methods.get("__init__"), item.methods.get("run")
        if made is not None and run is not None and call.loop:
            given = _of_memory(program, maker, made.parameters[1:], call.arguments)
            fields = {str(place) for place, name in _kept(made) if name in given}
            context = Context("one of several processes", maker.module.path, call.span.line, many=True)
            yield _Beginning(run, context, frozenset(fields))


def _set_by_initializers(program: Program, module: ModuleFacts) -> Iterator[str]:
    """Variables that `Pool(initializer=set_up, initargs=(counter,))` has each process set."""
    for caller in dict.fromkeys(item for name in _MAKING for item in module.callers.get(name, ())):
        for _, call in (found for name in _MAKING for found in caller.calls_of(name)):
            words = dict(call.keywords)
            value, values = words.get("initializer"), words.get("initargs", Value(Shape.OTHER)).arguments
            target = program.calls.function(caller, value) if value is not None else None
            if target is not None:
                given = _of_memory(program, caller, target.parameters, values)
                yield from (place.root for place, name in _kept(target) if name in given)


def _of_memory(
    program: Program, caller: FunctionFacts, names: Sequence[str], values: Sequence[Value]
) -> frozenset[str]:
    pairs = zip(names, values, strict=False)
    return frozenset(name for name, value in pairs if program.kinds.value(caller, value) & _SHARED)


def _kept(function: FunctionFacts) -> Iterator[tuple[Place, str]]:
    """Where it puts what it is given, and under which name it has it."""
    for event in function.events:
        if isinstance(event, Touch) and event.action is Action.WRITE:
            yield from ((event.place, value.place.root) for value in event.values if value.place is not None)


def _starts(program: Program, caller: FunctionFacts) -> Iterator[tuple[Call, FunctionFacts, tuple[Value, ...]]]:
    for event in caller.events:
        if not isinstance(event, Call) or event.callee is None:
            continue
        value, values = None, event.arguments[1:]
        if event.method == "Process" and program.kinds.callee(caller, event.callee) in _PROCESSES:
            words = dict(event.keywords)
            value, values = words.get("target"), words.get("args", Value(Shape.OTHER)).arguments
        elif event.method in _GIVING and event.receiver is not None and event.arguments:
            value = event.arguments[0] if program.kinds.value(caller, event.receiver) & _POOLS else None
        target = program.calls.function(caller, value) if value is not None else None
        if target is not None:
            yield event, target, values


def _reached(program: Program, function: FunctionFacts) -> list[FunctionFacts]:
    found, last = {function: None}, [function]
    for _ in range(_NEAR):
        calls = ((item, event) for item in last for event in item.events if isinstance(event, Call))
        targets = (program.calls.target(item, event) for item, event in calls)
        last = [target for target in dict.fromkeys(targets) if target is not None and target not in found]
        found.update(dict.fromkeys(last))
    return list(found)


def _updates(
    program: Program, function: FunctionFacts, given: frozenset[str], context: Context
) -> Iterator[Accusation]:
    for update in updates(function):
        read, write = (function.events[index] for index in (update.read, update.write))
        memory = _memory(write) if isinstance(write, Touch) else None
        if memory is None or program.locksets.at(function, update.write):
            continue
        is_given = str(memory) in given
        if is_given or program.kinds.place(function, memory) & _SHARED:
            yield _accusation(function, (update.read, read), (update.write, write), memory, context)


def _accusation(
    function: FunctionFacts, read: tuple[int, Event], write: tuple[int, Event], memory: Place, context: Context
) -> Accusation:
    first, second = (
        Use(function, index, touch, 0, changes=True) for index, touch in (read, write) if isinstance(touch, Touch)
    )
    target = f"{second.touch.place}{second.touch.key or ''}"
    return Accusation(
        owner=owner_of(function),
        field=str(memory),
        first=second,
        second=second,
        trigger=(
            f"Two processes run `{function.name}` at the same time: both read the same value of `{target}` before "
            "either writes, and the second write overwrites the first."
        ),
        confidence=MeetingDoubt.OF_PROCESSES.likely,
        grade=Grade.GIL,
        evidence=(first, second),
        contexts=(str(context), str(context)),
        remedy=_REMEDY.format(memory=memory),
        unpatched="a lock of the module is another one in each process",
    )


def _memory(write: Touch) -> Place | None:
    """`counter` of `counter.value += 1`, `counts` of `counts[0] += 1`."""
    if write.action is Action.WRITE_ITEM:
        return write.place
    if write.action is Action.WRITE and write.place.attributes[-1:] == ("value",):
        return Place(write.place.root, write.place.attributes[:-1])
    return None


_REMEDY = (
    "Hold the lock that the processes share over the read and the write: `with {memory}.get_lock():`, or, for a "
    "raw value, a `multiprocessing.Lock` that each of them is given."
)
