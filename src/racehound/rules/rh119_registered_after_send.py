"""A request is sent, and only then is it noted who waits for the answer.

The answer may come before the note: the thread or the task that reads answers looks for whom it is, finds nobody
and throws it away. Then the note is made, for an answer that has been there already, and whoever waits for it
waits until the time is over. Where the note is the moment of sending, the answer is measured from an older one.
Over a network it takes a quick answer or a slow sender; on one machine it happens often.

First note who waits, then send, and take the note back if sending fails.
"""

import re
from collections.abc import Iterator

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.meeting import Meetings
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.source.events import SELF, Action, Bind, Call, Pause, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts

_SENDING = re.compile(r"_*(send|sendall|sendto|write|publish|transmit|post|request|execute)(_\w+)?")
_WAITING = re.compile(
    r"callback|future|fut\b|handler|event|waiter|waiting|listener|pending|outstanding|in_?flight|queue",
    re.IGNORECASE,
)
_CLOCKS = frozenset(
    {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "now", "utcnow"}
)
_MOMENT_OF_SENDING = re.compile(r"sent|ping|asked|request", re.IGNORECASE)
_READING = re.compile(
    r"_*(on|handle|process|receive|recv|read|dispatch|parse|data|message|response|reply|answer)(_|$)|_*run$"
)


class RegisteredAfterSend(Rule):
    meta = RuleMeta(
        code="RH119",
        name="registered-after-send",
        summary="`{function}` sends before it notes in `{target}` {what}, where `{other}` may look first",
        severity=Severity.WARNING,
        race_type="Order Violation",
        impact="Lost answer: it comes before the note and finds nobody, and the caller waits in vain.",
        since="0.1.0",
        tags=frozenset({"threads", "asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Link(threading.Thread):
                def __init__(self, socket):
                    super().__init__()
                    self._socket = socket
                    self._callbacks = {}

                def ask(self, number, question, callback):
                    self._socket.sendall(question)
                    self._callbacks[number] = callback  # RH

                def run(self):
                    for number, answer in self._socket:
                        callback = self._callbacks.pop(number, None)
                        if callback is not None:
                            callback(answer)
            """),
    )
    good = (
        Good("""
            import threading

            class Link(threading.Thread):
                def __init__(self, socket):
                    super().__init__()
                    self._socket = socket
                    self._callbacks = {}

                def ask(self, number, question, callback):
                    self._callbacks[number] = callback
                    self._socket.sendall(question)

                def run(self):
                    for number, answer in self._socket:
                        callback = self._callbacks.pop(number, None)
                        if callback is not None:
                            callback(answer)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        sending = {module for module in program.modules if any(map(_SENDING.fullmatch, module.callers))}
        for owner in program.hierarchy.classes:
            if owner.module in sending and _notes(owner):
                for field, uses in program.fields.of_class(owner).items():
                    for note in uses:
                        if _is_note(note) and _is_waiter(note):
                            yield from self._judge(program, owner, field, note)

    def _judge(self, program: Program, owner: ClassFacts, field: str, note: Use) -> Iterator[Finding]:
        sent = _sent_before(program, note)
        if sent is None:
            return
        for look in program.fields.of_class(owner)[field]:
            if _takes(note, look) and _may_come_first(program, owner, note, look, sent):
                yield self._accuse(program, owner, field, note, look)
                return

    def _accuse(self, program: Program, owner: ClassFacts, field: str, note: Use, look: Use) -> Finding:
        function, other = (outer_method(use.function).name for use in (note, look))
        target, what = str(note.touch.place), "who waits"
        if note.touch.action is Action.WRITE:
            what = "when"
        accusation = Accusation(
            owner=owner,
            field=field,
            first=note,
            second=look,
            trigger=(
                f"`{function}` has sent its request and is stopped; the answer comes, `{other}` looks into "
                f"`{target}` and does not find it; then `{function}` notes {what}."
            ),
            confidence=MeetingDoubt.FAST_ANSWER.likely,
            grade=Grade.GIL,
        )
        return self.accuse(program, accusation, function=function, target=target, what=what, other=other)


def _notes(owner: ClassFacts) -> bool:
    kinds = _NOTES if _CLOCKS.isdisjoint(owner.module.callers) else _NOTES | {Action.WRITE}
    return any(not kinds.isdisjoint(function.holds) for function in owner.methods.values())


_NOTES = frozenset({Action.WRITE_ITEM, Action.MUTATE})


def _is_note(use: Use) -> bool:
    """An entry of a table, or of a set of what is still to be answered; or the moment."""
    if use.touch.action is Action.WRITE_ITEM:
        return True
    if use.touch.action is Action.WRITE:
        return _is_moment(use)
    return use.touch.action is Action.MUTATE and use.touch.method in _ADDING


def _is_moment(use: Use) -> bool:
    """True for `self._sent_at = time.monotonic()`; when something was done last says nothing of an answer."""
    values = use.touch.values
    named = _MOMENT_OF_SENDING.search(str(use.touch.place)) and "last" not in str(use.touch.place)
    return bool(named and values) and all(value.shape is Shape.CALL and value.name in _CLOCKS for value in values)


_ADDING = frozenset({"add", "update"})


def _is_waiter(note: Use) -> bool:
    """True for what is to be called or woken by the answer, told by what it is or what it is kept in."""
    if note.touch.action is Action.WRITE:
        return True
    names = [str(note.touch.place), *(_text(value) for value in note.touch.values)]
    if note.touch.action is Action.MUTATE:
        return _UNANSWERED.search(names[0]) is not None
    return any(_WAITING.search(name) for name in names) and not all(
        value.shape is Shape.CONSTANT for value in note.touch.values
    )


_UNANSWERED = re.compile(r"pending|waiting|outstanding|unacked|unconfirmed|in_?flight", re.IGNORECASE)


def _text(value: Value) -> str:
    return f"{value.name} {value.place or ''}"


def _sent_before(program: Program, note: Use) -> int | None:
    """What the function has sent when it makes the note, with a number that it knew by then."""
    function, key = note.function, (note.touch.key or "").strip("[]")
    paths = program.awaits.paths(function)
    for index in range(note.index - 1, -1, -1):
        event = function.events[index]
        if (
            isinstance(event, Call)
            and event.callee is not None
            and event.callee.root == SELF
            and _SENDING.fullmatch(event.method)
            and paths.reaches(index, note.index)
        ):
            whole = note.touch.method == "update" or note.touch.action is Action.WRITE  # needs no number
            return index if whole or (key.isidentifier() and _is_known(function, key, index)) else None
    return None


def _is_known(function: FunctionFacts, key: str, index: int) -> bool:
    if key in function.parameters:
        return True
    bound = [at for at, event in enumerate(function.events) if isinstance(event, Bind) and event.name == key]
    return bool(bound) and bound[0] < index and not any(index < at for at in bound)


def _takes(note: Use, look: Use) -> bool:
    """True for a look by a number that has come with an answer, or for one at the moment of sending."""
    if note.touch.action is Action.WRITE:
        return look.touch.action is Action.READ and _READING.match(outer_method(look.function).name) is not None
    by_key = look.touch.key is not None
    return by_key and (look.touch.method in {"pop", "get"} or look.touch.action in {Action.CHECK, Action.READ})


def _may_come_first(program: Program, owner: ClassFacts, note: Use, look: Use, sent: int) -> bool:
    function, other = outer_method(note.function), outer_method(look.function)
    if function is other or note.locks & look.locks:
        return False
    if not _READING.match(other.name) and not program.contexts.of(other):
        return False
    if function.is_async:
        between = note.function.events[sent : note.index]
        return any(isinstance(event, Pause) and not event.yields for event in between)
    meetings = Meetings(program)
    if other.is_async or meetings.are_called_on_loops(function, other):
        return False
    if program.shared.why(owner) is None:
        return False
    asked_by_all = not function.name.startswith("_") and bool(program.contexts.of(other))
    return asked_by_all or meetings.may_meet(owner, note.function, look.function)
