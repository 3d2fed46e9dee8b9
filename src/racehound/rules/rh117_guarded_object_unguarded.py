"""An object that is called under a lock in one place is called without it in another.

The lock of a class guards not only its own fields but also the objects that they hold, if these have no lock by
themselves. Where one method takes the lock before it changes such an object, and another changes the same object
without it, the first is not alone: an item that is added while the other one takes all of them out is lost, a
count is off by one. Both look right when read by themselves.

Hold the same lock around every call that changes the object, or give the object a lock of its own.
"""

from collections.abc import Iterator

from racehound.analysis.locking.guarded_objects import Visit, kept_objects
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.endings import RESETTING, TEARDOWN
from racehound.analysis.state.meeting import Meetings
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.rules.state.guard_order import is_beginning
from racehound.source.events import Call, Flow
from racehound.source.facts import ClassFacts


class GuardedObjectUnguarded(Rule):
    meta = RuleMeta(
        code="RH117",
        name="guarded-object-unguarded",
        summary="`{first}` changes the object in `{target}` without the lock that `{second}` holds for it",
        severity=Severity.WARNING,
        race_type="Inconsistent Locking",
        impact="Broken invariant: two threads change the object at once, and the work of one is lost.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Buffer:
                def __init__(self):
                    self.parts = []

                def put(self, part):
                    self.parts.append(part)

                def take(self):
                    parts = self.parts
                    self.parts = []
                    return parts

            class Connection:
                def __init__(self, socket):
                    self._lock = threading.Lock()
                    self._socket = socket
                    self._buffer = Buffer()

                def send(self, part):
                    with self._lock:
                        self._buffer.put(part)

                def flush(self):
                    for part in self._buffer.take():  # RH
                        self._socket.send(part)
            """),
    )
    good = (
        Good("""
            import threading

            class Buffer:
                def __init__(self):
                    self.parts = []

                def put(self, part):
                    self.parts.append(part)

                def take(self):
                    parts = self.parts
                    self.parts = []
                    return parts

            class Connection:
                def __init__(self, socket):
                    self._lock = threading.Lock()
                    self._socket = socket
                    self._buffer = Buffer()

                def send(self, part):
                    with self._lock:
                        self._buffer.put(part)

                def flush(self):
                    with self._lock:
                        parts = self._buffer.take()
                    for part in parts:
                        self._socket.send(part)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            sharing = program.shared.why(owner)
            if sharing is not None and sharing.locks:
                for name, visits in kept_objects(program, owner):
                    yield from self._field(program, owner, name, visits)

    def _field(self, program: Program, owner: ClassFacts, name: str, visits: list[Visit]) -> Iterator[Finding]:
        bare = [visit for visit in visits if not visit.use.locks and not _is_apart(program, visit)]
        held = [visit for visit in visits if visit.use.locks and _is_about_it(program, visit)]
        meetings = Meetings(program)
        for first in bare:
            for second in held:
                both = first.use.function, second.use.function
                if _collide(first, second) and meetings.may_meet(owner, *both):
                    yield self._accuse(program, owner, name, first, second)
                    return

    def _accuse(self, program: Program, owner: ClassFacts, name: str, first: Visit, second: Visit) -> Finding:
        one, other = (outer_method(visit.use.function).name for visit in (first, second))
        lock = str(program.locksets.named(second.use.locks)[0])
        meetings = Meetings(program)
        both = first.use.function, second.use.function
        doubt = meetings.doubt_of_sharing(owner, *both)
        if doubt is None and meetings.are_called_on_loops(*both):
            doubt = MeetingDoubt.ON_LOOPS
        accusation = Accusation(
            owner=owner,
            field=name,
            first=first.use,
            second=second.use,
            trigger=(
                f"`{other}` holds `{lock}` and is inside `{second.method.name}` of `self.{name}`; `{one}` takes "
                f"no lock and calls `{first.method.name}`, which changes the same "
                f"`{min(first.changed & second.changed)}`."
            ),
            confidence=MeetingDoubt.NOT_SEEN_TOGETHER.likely if doubt is None else doubt.possible,
            grade=Grade.GIL,
            lock=lock,
        )
        return self.accuse(program, accusation, target=f"self.{name}", first=one, second=other)


def _collide(first: Visit, second: Visit) -> bool:
    """True if both change one attribute, and at least one of them by what it has found there."""
    if outer_method(first.use.function) is outer_method(second.use.function):
        return False
    return bool(first.changed & second.changed & (first.stepped | second.stepped))


_CALLS = 6
"""What a section that is about one object calls at most."""


def _is_about_it(program: Program, visit: Visit) -> bool:
    """True if the lock is taken for this call: by the function itself, for little else and no loop."""
    function, held = visit.use.function, program.locksets.within(visit.use.function)
    lock = held[visit.use.index]
    section = [event for at, event in enumerate(function.events) if held[at] & lock]
    calls = sum(isinstance(event, Call) for event in section)
    return bool(lock) and calls <= _CALLS and Flow.LOOP not in section


def _is_apart(program: Program, visit: Visit) -> bool:
    """True for what is done before others come, or after they have gone."""
    function = outer_method(visit.use.function)
    if is_beginning(function) or TEARDOWN.match(function.name) or RESETTING.match(function.name):
        return True
    return program.mentions.is_unheard(function)
