"""A loop goes over a container while another thread changes its size.

`for key in self._sessions` raises `RuntimeError: dictionary changed size during iteration` when another thread
adds or removes a key before the loop is done. The more entries there are and the longer a round takes, the more
often it happens: rarely in tests, regularly in production.

Take a copy in one step (`list(self._sessions)`) and go over that, or hold one lock over the loop and the change.
"""

from collections.abc import Iterator

from racehound.analysis.discipline import functions, is_disturbed, runs_once
from racehound.analysis.fields import Use
from racehound.analysis.hierarchy import outer_method
from racehound.analysis.kinds import CONTAINERS, Kind
from racehound.analysis.meeting import Meetings, Owner
from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.source.events import ITEM, Place
from racehound.source.facts import ClassFacts

_LISTS = frozenset(
    {"list", "List", "typing.List", "bytearray", "MutableSequence", "collections.abc.MutableSequence"}
)


class IterateWhileResized(Rule):
    meta = RuleMeta(
        code="RH103",
        name="iterate-while-resized",
        summary="`{target}` is iterated in `{first}` while `{second}` can change its size",
        severity=Severity.ERROR,
        race_type="Iteration Mutation",
        impact="RuntimeError in the middle of the loop: the container changed size during iteration.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state", "unsafe-dict-access"}),
    )
    bad = (
        Bad("""
            import threading

            class Sessions:
                def __init__(self):
                    self._minutes = {}

                def log_in(self, user):
                    self._minutes[user] = 30

                def names(self):
                    return [user.title() for user in self._minutes]  # RH

                def start(self):
                    threading.Thread(target=self.log_in, args=("ada",)).start()
            """),
        Bad("""
            import threading

            class Listeners:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._listeners = set()

                def add(self, listener):
                    with self._lock:
                        self._listeners.add(listener)

                def fire(self, event):
                    for listener in self._listeners:  # RH
                        listener(event)
            """),
    )
    good = (
        Good("""
            import threading

            class Sessions:
                def __init__(self):
                    self._minutes = {}

                def log_in(self, user):
                    self._minutes[user] = 30

                def names(self):
                    return [user.title() for user in list(self._minutes)]

                def start(self):
                    threading.Thread(target=self.log_in, args=("ada",)).start()
            """),
        Good("""
            import threading

            class Listeners:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._listeners = frozenset()

                def add(self, listener):
                    with self._lock:
                        self._listeners = self._listeners | {listener}

                def fire(self, event):
                    for listener in self._listeners:
                        listener(event)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for owner in meetings.owners():
            for field, uses in meetings.fields(owner).items():
                loops = [use for use in uses if any(is_disturbed(use, other) for other in uses)]
                for loop in loops:
                    yield from self._judge(program, owner, field, loop)

    def _judge(self, program: Program, owner: Owner, field: str, loop: Use) -> Iterator[Finding]:
        meetings = Meetings(program)
        kinds = _kinds(program, owner, field)
        if kinds & _LISTS or meetings.is_inherited(owner, loop):
            return
        for other in meetings.fields(owner)[field]:
            if _breaks(loop, other) and meetings.may_meet(owner, loop.function, other.function):
                yield self._accuse(program, owner, field, (loop, other))
                return

    def _accuse(self, program: Program, owner: Owner, field: str, pair: tuple[Use, Use]) -> Finding:
        meetings = Meetings(program)
        loop, other = pair
        uses = meetings.fields(owner)[field]
        sure = meetings.certainty(owner, loop.function, other.function, uses)
        known = bool(_kinds(program, owner, field) & CONTAINERS)
        target = str(loop.touch.place)
        first, second = (outer_method(use.function).name for use in pair)
        accusation = Accusation(
            owner=owner,
            field=field,
            first=loop,
            second=other,
            trigger=(
                f"A thread is in the loop of `{first}` over `{target}`; another thread runs `{second}`, which "
                f"{other.touch.action.value} it; the loop asks for the next item and raises."
            ),
            confidence=sure if known else Confidence.POSSIBLE,
            grade=Grade.GIL,
            others=functions(uses),
            lock=meetings.lock_of(uses),
        )
        return self.accuse(program, accusation, target=target, first=first, second=second)


def _kinds(program: Program, owner: Owner, field: str) -> frozenset[Kind]:
    if isinstance(owner, ClassFacts):
        return program.kinds.field(owner, field)
    return program.kinds.place(owner.functions[0], Place(field))


def _breaks(loop: Use, other: Use) -> bool:
    if not is_disturbed(loop, other) or loop.locks & other.locks or other.touch.method == ITEM:
        return False
    if outer_method(other.function) is outer_method(loop.function) or runs_once(other.function):
        return False
    return len(other.touch.place.attributes) == len(loop.touch.place.attributes)
