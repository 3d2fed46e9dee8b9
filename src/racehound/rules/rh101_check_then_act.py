"""What a check found is no longer so when it is used.

`if key in self._cache: return self._cache[key]` looks twice. Another thread that removes the key between the two
makes the second look raise; one that adds it between `if key not in seen` and `seen.add(key)` makes both go on
with what only one of them should do. It takes a thread switch at just that point, so it shows under load.

In a table of weak references no thread is needed: the entry goes when the last reference to its value does. So it
is with what a finalizer or a signal handler takes out, where something is called between the two looks.

Do it in one step (`get`, `pop` with a default, `setdefault`), or hold one lock over the check and the use.
"""

import re
from collections.abc import Iterator
from itertools import chain, filterfalse

from racehound.analysis.branches import fork_at
from racehound.analysis.compound import is_interruptible
from racehound.analysis.discipline import functions
from racehound.analysis.endings import RESETTING, TEARDOWN
from racehound.analysis.fields import Use
from racehound.analysis.gaps import Gap, gaps_of, raises_otherwise
from racehound.analysis.hazards import (
    EMPTY,
    Hazard,
    disturbs,
    hazard,
    is_idempotent,
    is_none,
    makes_something,
    stored,
)
from racehound.analysis.meeting import Meetings, Owner
from racehound.analysis.ownership import TELLING
from racehound.analysis.program import Program
from racehound.analysis.told import is_noted_last, only_tells
from racehound.model.finding import Confidence, Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.kept_objects import keeps_object
from racehound.rules.queue_looks import accuse_queues
from racehound.rules.rule import Accusation, Rule, once, seen_from
from racehound.rules.sole_consumers import empties_alone
from racehound.rules.weak_looks import accuse_weak_tables
from racehound.source.events import Action, Bind, Call, Flow, Shape
from racehound.source.facts import ClassFacts, FunctionFacts


class CheckThenAct(Rule):
    meta = RuleMeta(
        code="RH101",
        name="check-then-act",
        summary="`{target}` can change between the check and the use in `{function}`",
        severity=Severity.ERROR,
        race_type="Check-Then-Act",
        impact="Crash or double work: the code goes on with what was true a moment ago.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state", "unsafe-dict-access"}),
    )
    bad = (
        Bad("""
            class Cache:
                '''Thread-safe cache.'''

                def __init__(self):
                    self._entries = {}

                def get(self, key):
                    if key in self._entries:  # RH
                        return self._entries[key]
                    return None

                def evict(self, key):
                    self._entries.pop(key, None)
            """),
        Bad("""
            import threading

            class Ledger:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._open = []

                def add(self, item):
                    with self._lock:
                        self._open.append(item)

                def take(self):
                    if self._open:  # RH
                        with self._lock:
                            return self._open.pop()
                    return None
            """),
    )
    good = (
        Good("""
            class Cache:
                '''Thread-safe cache.'''

                def __init__(self):
                    self._entries = {}

                def get(self, key):
                    return self._entries.get(key)

                def evict(self, key):
                    self._entries.pop(key, None)
            """),
        Good("""
            import threading

            class Ledger:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._open = []

                def add(self, item):
                    with self._lock:
                        self._open.append(item)

                def take(self):
                    if self._open:
                        with self._lock:
                            if self._open:
                                return self._open.pop()
                    return None
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for owner in meetings.owners():
            gaps = gaps_of(program, owner)
            for field, uses in meetings.own_fields(owner):
                if any(use.changes for use in uses):
                    for gap in gaps.of(field):
                        yield from self._judge(program, owner, field, gap)
        yield from accuse_queues(self, program)
        yield from accuse_weak_tables(self, program)

    def _judge(self, program: Program, owner: Owner, field: str, gap: Gap) -> Iterator[Finding]:
        meetings = Meetings(program)
        kind = hazard(gap)
        if kind in {None, Hazard.CREATE} or gap.is_split:
            return
        if kind is Hazard.EMPTY and _is_another_name(gap) and _is_decided_under_lock(program, gap):
            return
        if kind is Hazard.MISSING and _makes_what_is_missing(program, owner, field, gap):
            return
        uses = meetings.fields(owner)[field]
        if kind is Hazard.VANISH and _is_filled_before(gap, uses):
            return
        for rival in chain((gap.act.use,), filterfalse(_ends_all, uses), filter(_ends_all, uses)):
            if disturbs(kind, rival, gap.act.use) and meetings.may_meet(owner, gap.function, rival.function):
                if meetings.are_inherited(owner, gap.act.use, rival):
                    return
                yield self._accuse(program, owner, field, (gap, kind, rival), uses)
                return

    def _accuse(
        self, program: Program, owner: Owner, field: str, case: tuple[Gap, Hazard, Use], uses: list[Use]
    ) -> Finding:
        gap, kind, rival = case
        meetings = Meetings(program)
        look, act = seen_from(gap.function, gap.check), seen_from(gap.function, gap.act)
        target = f"{look.touch.place}{gap.check.key or ''}"
        sure = meetings.certainty(owner, gap.function, rival.function, uses)
        accusation = Accusation(
            owner=owner,
            field=field,
            first=look,
            second=rival,
            trigger=(
                f"A thread in `{gap.function.name}` checks `{target}` and is about to use it. Between the two, "
                f"another thread, in `{rival.function.name}`, {_outcome(program, owner, field, kind)}."
            ),
            confidence=_confidence(program, owner, (gap, kind, rival), sure, uses),
            grade=Grade.GIL if is_interruptible(gap.function, look.index, act.index) else Grade.FREE_THREADED,
            others=functions(uses),
            lock=meetings.lock_of(uses),
            evidence=(look, act, rival) if rival.function.module is look.function.module else (look, act),
        )
        return self.accuse(program, accusation, target=target, function=gap.function.name)


def _outcome(program: Program, owner: Owner, field: str, kind: Hazard) -> str:
    """A list has no entries that are missed: those behind move up."""
    if kind is Hazard.MISSING and "list" in program.fields.kinds(owner, field):
        return "takes an item out, and the use raises IndexError or finds another item"
    return str(kind.value)


def _makes_what_is_missing(program: Program, owner: Owner, field: str, gap: Gap) -> bool:
    """True for `counts[key]` of a `defaultdict`, which raises nothing."""
    if gap.act.use.touch.action is not Action.READ or not isinstance(owner, ClassFacts):
        return False
    return "collections.defaultdict" in program.kinds.field(owner, field)


def _is_filled_before(gap: Gap, uses: list[Use]) -> bool:
    """True if the function itself puts something there between the check and the use."""
    return any(
        use.function is gap.function
        and use.touch.action is Action.WRITE
        and not any(map(is_none, use.touch.values))
        and gap.check.at < use.index < gap.act.at
        for use in uses
    )


def _is_another_name(gap: Gap) -> bool:
    """`items = self.items` is no look at what is in it: the look is where the name is asked."""
    touch = gap.check.use.touch
    return touch.action is Action.READ and not touch.method


def _is_decided_under_lock(program: Program, gap: Gap) -> bool:
    return bool(program.locksets.at(gap.function, gap.decided) & gap.act.locks)


def _confidence(
    program: Program, owner: Owner, case: tuple[Gap, Hazard, Use], sure: Confidence, uses: list[Use]
) -> Confidence:
    gap, kind, rival = case
    known = sure is Confidence.CERTAIN
    if kind is Hazard.OVERFLOW or (kind is Hazard.SPEND and _is_raised(gap)):
        return Confidence.POSSIBLE  # one more than the limit is nothing, for most limits
    sharing = program.shared.why(owner) if isinstance(owner, ClassFacts) else None
    held_to_it = known or (sharing is not None and sharing.claims)
    if not held_to_it and empties_alone(program, gap, kind, uses):
        return Confidence.POSSIBLE
    held_to_it = held_to_it or _is_taken(program, owner, gap)
    alone = kind is Hazard.MISSING and _has_its_own_key(gap, rival)
    alone = alone and (not held_to_it or _TICKET.search(gap.check.key or "") is not None)
    twice = kind is Hazard.INSERT and gap.act.use.touch.action is Action.WRITE_ITEM
    claims = sharing is not None and sharing.claims
    if twice and not claims and not _is_missed(program, owner, gap, rival):
        return Confidence.POSSIBLE
    noted = kind is Hazard.INSERT and gap.act.use.touch.method == "add" and not raises_otherwise(gap)
    alone = alone or (noted and not held_to_it)  # a set has it once, whoever puts it there
    if alone or TELLING.fullmatch(gap.function.name) or _is_caught(gap, kind) or "fork" in gap.function.name:
        return Confidence.POSSIBLE
    anew = kind is Hazard.MISSING and not known and RESETTING.match(rival.function.name) is not None
    if (anew and not held_to_it) or (TEARDOWN.match(gap.function.name) and not known):
        return Confidence.POSSIBLE
    if kind is Hazard.MISSING and (
        _is_new_edition(rival) or _is_drawn(gap, rival) or (_ends_all(rival) and not known)
    ):
        return Confidence.POSSIBLE
    if kind is Hazard.VANISH and sure is Confidence.CERTAIN:
        return Confidence.LIKELY  # both threads are known; whether they are there at the same time is not
    if kind is Hazard.VANISH and isinstance(owner, ClassFacts) and not _is_between_uses(rival.function):
        own = program.shared.is_own_thread(owner, gap.function, rival.function)
        return sure if own or not _is_harmless(gap, kind, rival) else Confidence.POSSIBLE
    return Confidence.POSSIBLE if _is_harmless(gap, kind, rival) else sure


def _ends_all(use: Use) -> bool:
    """True for what is done when nobody is at work any more."""
    return TEARDOWN.match(use.function.name) is not None


def _is_drawn(gap: Gap, rival: Use) -> bool:
    """True for a number that the function itself was given by a call: no other run of it has the same one."""
    key = gap.check.key or ""
    if rival.function is not gap.function or not _TICKET.search(key):
        return False
    given = [
        event
        for event in gap.function.events[: gap.check.at]
        if isinstance(event, Bind) and event.name == key[1:-1]
    ]
    return bool(given) and all(value.shape is Shape.CALL for event in given for value in event.values)


def _is_new_edition(rival: Use) -> bool:
    """True if the whole table is replaced by another one, in which most keys are found again."""
    values = rival.touch.values
    if rival.touch.action is not Action.WRITE or not values:
        return False
    text = rival.function.module.line(rival.touch.span.line)
    return EMPTY.search(text) is None and not any(value.shape is Shape.CONSTANT for value in values)


def _is_between_uses(function: FunctionFacts) -> bool:
    return bool(TEARDOWN.match(function.name) or RESETTING.match(function.name))


_TICKET = re.compile(r"(id|ident|identifier|token|ticket|handle|number|seq)\]", re.IGNORECASE)
"""What is given to one caller only: nobody else comes for it."""


def _is_taken(program: Program, owner: Owner, gap: Gap) -> bool:
    """True for `idle.pop(host)` of what others put there under a lock: two may come for it."""
    touch = gap.act.use.touch
    name = touch.place.attributes[0] if touch.place.attributes else touch.place.root
    uses = Meetings(program).fields(owner).get(name, ())
    is_ticket = _TICKET.search(gap.check.key or "") is not None
    return touch.method == "pop" and not is_ticket and any(use.changes and use.locks for use in uses)


def _is_caught(gap: Gap, kind: Hazard) -> bool:
    """True if the function reckons with what the use raises."""
    names = _RAISED.get(kind)
    return names is not None and any(attempt.guards(gap.act.at, names) for attempt in gap.function.attempts)


_RAISED = {
    Hazard.MISSING: frozenset({"KeyError", "ValueError", "LookupError", "Exception"}),
    Hazard.EMPTY: frozenset({"IndexError", "KeyError", "LookupError", "Exception"}),
    Hazard.VANISH: frozenset({"AttributeError", "Exception"}),
}


def _has_its_own_key(gap: Gap, rival: Use) -> bool:
    """True if only the function itself takes entries out, each time the one that its caller names."""
    key, function = gap.check.key or "", gap.function
    return rival.function is function and any(re.search(rf"\b{name}\b", key) for name in function.parameters)


def _is_missed(program: Program, owner: Owner, gap: Gap, rival: Use) -> bool:
    """True if the entry that is replaced was of use: something is kept in it, or it is one of its kind."""
    act = gap.act.use
    filled = any(value.shape is Shape.CONTAINER and not value.arguments for value in stored(act))
    if _lies_below(rival, act):
        return False
    if raises_otherwise(gap) or keeps_object(act) or filled:
        return True
    key = act.touch.key or ""
    uses = (
        Meetings(program)
        .fields(owner)
        .get(act.touch.place.attributes[0] if act.touch.place.attributes else act.touch.place.root, ())
    )
    return any((use.touch.key or "").startswith(f"{key}[") for use in uses if use.changes)


def _is_raised(gap: Gap) -> bool:
    """True for `self.total += 1` behind a look at how full it is."""
    act = gap.act.use
    return "+=" in act.function.module.line(act.touch.span.line)


def _lies_below(rival: Use, act: Use) -> bool:
    """True for `rows[name]["tries"] += 1` beside `rows[name] = row`: the entry is there already."""
    return (rival.touch.key or "").startswith(f"{act.touch.key}[")


def _starts_a_thread(gap: Gap) -> bool:
    """True for `if not self._started: self._started = True`, and a thread of which there must be one."""
    events = gap.function.events
    if gap.decided + 1 >= len(events) or events[gap.decided + 1] is not Flow.FORK:
        return False
    return any(
        isinstance(event, Call) and event.method in {"Thread", "start_new_thread"}
        for start, end in fork_at(events, gap.decided + 1).branches
        for event in events[start:end]
        if start <= gap.act.at < end
    )


def _is_harmless(gap: Gap, kind: Hazard, rival: Use) -> bool:
    """Equal values stored twice, flags set twice: nobody notices, unless the other way out is an error."""
    touch = gap.act.use.touch
    if kind in {Hazard.REPEAT, Hazard.INSERT} and raises_otherwise(gap):
        return False
    if kind is Hazard.REPEAT and _starts_a_thread(gap):
        return False
    if kind is Hazard.REPEAT or (kind is Hazard.INSERT and (only_tells(gap) or is_noted_last(gap))):
        return True
    if kind is Hazard.VANISH:
        return not rival.locks and not gap.act.locks
    if kind is not Hazard.INSERT or touch.action is not Action.WRITE_ITEM:
        return False
    return is_idempotent(gap.act.use) or not makes_something(gap.act.use)
