"""The interleaving as a person reads it: who did what, where, with which value."""

import linecache
import sys
import types
from collections.abc import Iterable, Iterator, Mapping

from racehound.engine.execution import Ending, Event, Trace, Watcher
from racehound.engine.mirror import Mirror
from racehound.engine.operation import SHAPE, WHOLE, Effect, Kind, ObjectId, Operation, effects_meet
from racehound.instrument.sites import SITES
from racehound.model.proof import Step
from racehound.model.schedule import TaskId
from racehound.scenario.insides import dictionary_of
from racehound.scenario.render import is_local, short
from racehound.scenario.stuck import STUCK

_CHANGES = (Kind.WRITE, Kind.DELETE, Kind.CALL)
_OF_NAMES = (Kind.READ, Kind.WRITE, Kind.DELETE)
_MISSING = object()
_FOR_EVER = {Ending.DEADLOCK: "waits for ever", Ending.LIVELOCK: "goes on for ever"}


class ValueRecorder(Watcher):
    """Looks at each place just before it is read and just after it is written; never calls the program."""

    def __init__(self) -> None:
        self.values: dict[int, str] = {}
        """By the identity of the operation, which the trace keeps."""
        self._open: dict[TaskId, tuple[Operation, types.FrameType | None]] = {}

    def before(self, task: TaskId, operation: Operation) -> None:
        frame = _frame_at(operation.site) if operation.subject is None else None
        self._open[task] = operation, frame
        self.values[id(operation)] = "" if operation.kind in _CHANGES else _peek(operation, frame)

    def after(self, task: TaskId) -> None:
        operation, frame = self._open.pop(task, (None, None))
        if operation is not None and operation.kind in _CHANGES:
            self.values[id(operation)] = _peek(operation, frame)
        if operation is not None:
            operation.subject = None


def _frame_at(site: int) -> types.FrameType | None:
    """The frame of the program that is about to do the operation."""
    frame: types.FrameType | None = sys._getframe()  # noqa: SLF001 - where variables of functions live
    while frame is not None and (frame.f_code.co_filename, frame.f_lineno) != (SITES[site].path, SITES[site].line):
        frame = frame.f_back
    return frame


def _peek(operation: Operation, frame: types.FrameType | None) -> str:
    subject, effects = operation.subject, operation.effects
    if frame is not None and operation.label.isidentifier() and operation.kind in _OF_NAMES:
        return _shown(frame.f_locals.get(operation.label, _MISSING))
    if not effects or subject is None or is_local(subject) or isinstance(subject, Mirror):
        return ""
    part = effects[0].part
    if isinstance(part, str) and (not isinstance(subject, dict | list | set) or _is_attribute(operation, part)):
        return _shown(_attribute(subject, part))
    if isinstance(subject, dict) and part is not WHOLE and part is not SHAPE:
        return _shown(dict.get(subject, part, _MISSING))
    return _shown(subject)


def _is_attribute(operation: Operation, name: str) -> bool:
    """Whether the source means an attribute: a class that derives from a container has both."""
    return SITES[operation.site].text.endswith(f".{name}")


def _attribute(subject: object, name: str) -> object:
    held = dictionary_of(subject) or {}
    if name in held:
        return held[name]
    for owner in (*subject.__mro__,) if isinstance(subject, type) else type(subject).__mro__:
        member = vars(owner).get(name, _MISSING)
        if isinstance(member, types.MemberDescriptorType):
            return getattr(subject, name, _MISSING)
        if member is not _MISSING:
            return member
    return _MISSING


def _shown(value: object) -> str:
    return "missing" if value is _MISSING else short(value)


def _seen(trace: Trace) -> Iterator[Event]:
    """What a watcher has seen: a turn of a coroutine is what it consists of."""
    for event in trace.raced:
        operation = event.operation
        if operation.kind is not Kind.START and not (operation.late and operation.kind is Kind.AWAIT):
            yield event
        yield from (Event(event.task, inner) for inner in operation.inner)


def steps_of(trace: Trace, values: Mapping[int, str]) -> tuple[Step, ...]:
    """The operations that depend on another task, in the order in which they ran."""
    if trace.ending in STUCK:
        values = {**values, **{id(operation): _FOR_EVER[trace.ending] for operation in trace.blocked.values()}}
    steps: list[Step] = []
    last: TaskId | None = None
    for task, operation in shown_events(trace):
        value = values.get(id(operation), "")
        steps.append(_step(task, operation, value, switch=last is not None and last != task))
        last = task
    return tuple(steps)


def shown_events(trace: Trace) -> Iterator[Event]:
    """What becomes a step: nobody else cares for the rest, or it is inside a primitive of the standard library."""
    recorded = list(_seen(trace))
    if trace.ending in STUCK:
        recorded += [Event(task, operation) for task, operation in trace.blocked.items()]
    users = _users(recorded)
    for event in recorded:
        if event.operation.kind is Kind.AWAIT and not event.operation.site:
            continue
        met = any(
            event.task != task and effects_meet(effect, other)
            for effect in event.operation.effects
            for task, other in users[effect.subject]
        )
        if met and SITES[event.operation.site].line:
            yield event


def _users(events: Iterable[Event]) -> dict[ObjectId, list[tuple[TaskId, Effect]]]:
    """Who has which effect on what, each once: a loop has the same one thousands of times."""
    users: dict[ObjectId, dict[tuple[TaskId, Effect], None]] = {}
    for task, operation in events:
        for effect in operation.effects:
            users.setdefault(effect.subject, {})[task, effect] = None
    return {subject: list(seen) for subject, seen in users.items()}


def _target(text: str, operation: Operation) -> str:
    """What the source names; for a call of a container's method with the arguments it was given."""
    method, bracket, arguments = operation.label.partition("(")
    return f"{text}{bracket}{arguments}" if bracket and text.endswith(method) else text


def _step(task: TaskId, operation: Operation, value: str, *, switch: bool) -> Step:
    site = SITES[operation.site]
    return Step(
        task=task,
        path=site.path,
        line=site.line,
        source=linecache.getline(site.path, site.line).strip(),
        operation=operation.kind.value,
        target=_target(site.text, operation),
        value=value,
        switch=switch,
    )
