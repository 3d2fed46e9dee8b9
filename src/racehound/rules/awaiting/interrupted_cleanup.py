"""The other half of RH312: a clean-up that is cancelled while it waits, with something still to be given back."""

from racehound.analysis.awaiting.cancellers import Canceller
from racehound.analysis.awaiting.cleanups import Unfinished
from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.model.doubt import Sureness
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step
from racehound.source.events import Call, Pause, Shape, Value
from racehound.source.facts import FunctionFacts

_LEFT = {
    "release": "stays taken",
    "cancel": "runs on",
    "close": "stays open",
    "abort": "stays open",
    "terminate": "runs on",
    "kill": "runs on",
}


_SKIPPED = "Leak: what the clean-up should have released is never released."
_ABANDONED = "Half a clean-up: what is awaited there is abandoned half way."


def interrupted(program: Program, found: Unfinished, canceller: Canceller | None) -> Incident:
    """The await and whoever cancels there; with nobody known who does, the await and what it holds up."""
    context = program.tasks.describe(found.function)
    waits = _step(found.function, found.wait, "awaits in the clean-up", context)
    undone = waits if found.undone is None else _step(found.function, found.undone, "comes too late to", context)
    second = undone
    if undone is waits:
        second = _step(found.function, found.wait, "is cancelled at", "whatever cancels the task")
    if canceller is not None:
        second = Step(
            function=canceller.function,
            span=canceller.span,
            action="cancels",
            target=found.function.name,
            context=program.tasks.describe(canceller.function),
        )
    return Incident(
        first=waits,
        second=second,
        trigger=_trigger(found, canceller),
        confidence=_confidence(found, canceller),
        impact=_SKIPPED if found.undone is not None else _ABANDONED,
        remedy="Release first what needs no await, and put the rest under `asyncio.shield` or into a `finally` of "
        "its own.",
        evidence=tuple(dict.fromkeys((waits, undone, second))),
    )


def fault(found: Unfinished) -> str:
    """What is wrong, for the message."""
    if found.undone is None:
        return "waits in its clean-up, where a cancellation leaves it half done"
    return f"waits in its clean-up before `{_target(found.function, found.undone)}`, which a cancellation skips"


def _confidence(found: Unfinished, canceller: Canceller | None) -> Sureness:
    """What is left of an object that is closed for good hurts nobody."""
    name = found.function.name
    if TEARDOWN.match(name) is not None and name != "__aexit__":
        return TaskDoubt.CLOSED_FOR_GOOD.possible
    if found.undone is None:
        return TaskDoubt.NOTHING_SKIPPED.possible
    known = canceller is not None or _is_kept_from_others(found)
    return TaskDoubt.CANCELLED_THERE.likely if known else TaskDoubt.NOBODY_CANCELS.possible


def _is_kept_from_others(found: Unfinished) -> bool:
    """True for `await link.disconnect(); pool.release(link)`: a limit of time around it costs the pool a place."""
    events = found.function.events
    wait, undone = events[found.wait], events[found.undone] if found.undone is not None else None
    if not isinstance(undone, Call) or undone.method != "release" or not undone.arguments:
        return False
    ends = isinstance(wait, Pause) and wait.value.shape is Shape.CALL
    return ends and isinstance(wait, Pause) and TEARDOWN.match(wait.value.name.lstrip("a")) is not None


def _trigger(found: Unfinished, canceller: Canceller | None) -> str:
    pause = found.function.events[found.wait]
    line = pause.span.line if isinstance(pause, Pause) else 0
    who = "The task is cancelled" if canceller is None else f"{canceller.how[:1].upper()}{canceller.how[1:]},"
    when = f"{who} while `{found.function.name}` waits at line {line}"
    call = found.function.events[found.undone] if found.undone is not None else None
    if not isinstance(call, Call):
        return f"{when}: what is awaited there is abandoned half way."
    what = _receiver(call)
    return f"{when}; the rest of the clean-up does not happen, and `{what}` {_LEFT.get(call.method, 'stays')}."


def _step(function: FunctionFacts, index: int, action: str, context: str) -> Step:
    event = function.events[index]
    span = event.span if isinstance(event, Call | Pause) else function.span
    return Step(function=function, span=span, action=action, target=_target(function, index), context=context)


def _target(function: FunctionFacts, index: int) -> str:
    event = function.events[index]
    if isinstance(event, Pause):
        return _text(event.value) or function.name
    return f"{_receiver(event)}.{event.method}" if isinstance(event, Call) else function.name


def _receiver(call: Call) -> str:
    return _text(call.receiver) if call.receiver is not None else call.method


def _text(value: Value) -> str:
    return str(value.place) if value.place is not None else value.name
