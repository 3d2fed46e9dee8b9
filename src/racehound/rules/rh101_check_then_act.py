"""What a check found is no longer true when it is used.

`if key in self._cache: return self._cache[key]` looks twice. Another thread that removes the key between the two
makes the second look raise; one that adds it between `if key not in seen` and `seen.add(key)` makes both go on
with what only one of them should do. It takes a thread switch at just that point, so it shows under load.

In a table of weak references no thread is needed: the entry goes when the last reference to its value does. So it
is with what a finalizer or a signal handler takes out, where something is called between the two looks.

Do it in one step (`get`, `pop` with a default, `setdefault`), or hold one lock over the check and the use.
"""

from collections.abc import Iterator
from itertools import chain, filterfalse

from racehound.analysis.program import Program
from racehound.analysis.state.claimed import is_claim
from racehound.analysis.state.compound import is_interruptible
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.done_again import is_done_again
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import Gap, Gaps, gaps_of
from racehound.analysis.state.hazards import (
    Hazard,
    disturbs,
    hazard,
    is_none,
)
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.model.finding import Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, seen_from
from racehound.rules.state.check_doubts import ends_all, sureness
from racehound.rules.state.queue_looks import accuse_queues
from racehound.rules.state.weak_looks import accuse_weak_tables
from racehound.source.events import Action
from racehound.source.facts import ClassFacts


class CheckThenAct(Rule):
    meta = RuleMeta(
        code="RH101",
        name="check-then-act",
        summary="`{target}` can change between the check and the use in `{function}`",
        severity=Severity.ERROR,
        race_type="Check-Then-Act",
        impact="Crash or double work: the code acts on what was true a moment ago.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state", "unsafe-dict-access"}),
    )
    bad = (
        Bad(
            """
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
            """,
            fixed="""
            import threading


            class Cache:
                '''Thread-safe cache.'''

                def __init__(self):
                    self._entries = {}
                    self._lock = threading.Lock()

                def get(self, key):
                    with self._lock:
                        if key in self._entries:
                            return self._entries[key]
                        return None

                def evict(self, key):
                    with self._lock:
                        self._entries.pop(key, None)
            """,
        ),
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
                    yield from self._of_field(program, owner, field, gaps)
        yield from accuse_queues(self, program)
        yield from accuse_weak_tables(self, program)

    def _of_field(self, program: Program, owner: Owner, field: str, gaps: Gaps) -> Iterator[Finding]:
        """Of two findings at one place the first is told: that what was just made is gone again says more."""
        late = [found for gap in gaps.either_way(field) for found in self._judge(program, owner, field, gap)]
        yield from (finding for finding in late if finding.confidence.is_shown)
        for gap in gaps.of(field):
            yield from self._judge(program, owner, field, gap)
        yield from (finding for finding in late if not finding.confidence.is_shown)

    def _judge(self, program: Program, owner: Owner, field: str, gap: Gap) -> Iterator[Finding]:
        meetings = Meetings(program)
        kind = hazard(gap)
        if kind is Hazard.CREATE and is_claim(gap):
            kind = Hazard.CLAIM
        if kind in {None, Hazard.CREATE} or gap.is_split:
            return
        if kind is Hazard.EMPTY and _is_another_name(gap) and _is_decided_under_lock(program, gap):
            return
        if kind is Hazard.MISSING and _makes_what_is_missing(program, owner, field, gap):
            return
        uses = meetings.fields(owner)[field]
        if kind is Hazard.VANISH and _is_filled_before(gap, uses):
            return
        for rival in chain((gap.act.use,), filterfalse(ends_all, uses), filter(ends_all, uses)):
            again = rival is gap.act.use and is_done_again(program, gap)
            if (again or disturbs(kind, rival, gap.act.use)) and meetings.may_meet_at(
                owner, uses, gap.function, rival.function
            ):
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
        accusation = Accusation(
            owner=owner,
            field=field,
            first=look,
            second=rival,
            trigger=(
                f"A thread in `{gap.function.name}` checks `{target}` and is about to use it. Between the two, "
                f"another thread, in `{rival.function.name}`, {_outcome(program, owner, field, kind)}."
            ),
            confidence=sureness(program, owner, case, uses),
            grade=Grade.GIL if is_interruptible(gap.function, look.index, act.index) else Grade.FREE_THREADED,
            others=functions(uses),
            lock=meetings.lock_of(uses),
            impact=_IMPACTS.get(kind, ""),
            remedy=_remedy(program, owner, field, kind),
            evidence=(look, act, rival) if rival.function.module is look.function.module else (look, act),
        )
        return self.accuse(program, accusation, target=target, function=gap.function.name)


def _outcome(program: Program, owner: Owner, field: str, kind: Hazard) -> str:
    """A list has no entries that are missed: those behind move up."""
    if kind is Hazard.MISSING and "list" in program.fields.kinds(owner, field):
        return "takes an item out, and the use raises IndexError or finds another item"
    return str(kind.value)


_CRASH = "Crash: what was there a moment ago is gone."
_IMPACTS = {
    Hazard.MISSING: _CRASH,
    Hazard.EMPTY: _CRASH,
    Hazard.VANISH: _CRASH,
    Hazard.INSERT: "Double work or a lost entry: both believe that they are the first.",
    Hazard.REPEAT: "Double work: what must happen once happens twice.",
    Hazard.CLAIM: "Double work: two are told that they have what only one can have.",
    Hazard.OVERFLOW: "Broken limit: more is let in than there is room for.",
    Hazard.SPEND: "Broken limit: both go by a value that only one of them may use up.",
}
_LOCK = "hold one lock over the check and the use."
_REMEDIES = {
    Hazard.MISSING: f"Look once, with `get` or `pop` and a default, or catch the `KeyError`; or {_LOCK}",
    Hazard.EMPTY: f"Take the item without looking first and catch the `IndexError`; or {_LOCK}",
    Hazard.VANISH: f"Read it once into a local variable, and check and use that; or {_LOCK}",
    Hazard.INSERT: f"Add it in one step, such as `setdefault`, and go by what that returns; or {_LOCK}",
    Hazard.REPEAT: f"{_LOCK[:1].upper()}{_LOCK[1:]}",
    Hazard.CLAIM: f"{_LOCK[:1].upper()}{_LOCK[1:]}",
    Hazard.OVERFLOW: f"{_LOCK[:1].upper()}{_LOCK[1:]}",
    Hazard.SPEND: f"{_LOCK[:1].upper()}{_LOCK[1:]}",
}


def _remedy(program: Program, owner: Owner, field: str, kind: Hazard) -> str:
    """What the page says of all cases fits a dict best."""
    if kind is Hazard.MISSING and "list" in program.fields.kinds(owner, field):
        kind = Hazard.EMPTY
    return _REMEDIES.get(kind, "")


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
