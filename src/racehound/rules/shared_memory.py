"""The part of RH102 that speaks of memory between processes: `counter.value += 1` is two steps, and they meet."""

from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.activations import Context
from racehound.analysis.compound import updates
from racehound.analysis.fields import Use
from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Grade
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
_NEAR = 2
"""Calls of calls that are followed from where a process begins."""


class _Beginning(NamedTuple):
    function: FunctionFacts
    context: Context
    given: frozenset[str]
    """Parameters for memory that all of the processes have."""


def shared_updates(program: Program) -> Iterator[Accusation]:
    """Updates of memory by several processes at once, with no lock held."""
    for module in program.modules:
        if any(name.startswith(("multiprocessing", "concurrent")) for name in module.imports.values()):
            for beginning in _beginnings(program, module):
                for function in _reached(program, beginning.function):
                    given = beginning.given if function is beginning.function else frozenset[str]()
                    yield from _updates(program, function, given, beginning.context)


def _beginnings(program: Program, module: ModuleFacts) -> Iterator[_Beginning]:
    """Functions that several processes run."""
    for caller in dict.fromkeys(item for name in ("Process", *_GIVING) for item in module.callers.get(name, ())):
        starts = list(_starts(program, caller))
        for at, (call, target, values) in enumerate(starts):
            twice = any(other is target for _, other, _ in starts[:at])
            if call.loop or call.method in _GIVING or twice:
                names = zip(target.parameters[target.is_method :], values, strict=False)
                shared = {name for name, value in names if program.kinds.value(caller, value) & _SHARED}
                what = "one of several processes"
                context = Context(what, module.path, call.span.line, many=True)
                yield _Beginning(target, context, frozenset(shared))


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
        is_given = memory.root in given and not memory.attributes
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
        confidence=Confidence.LIKELY,
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
