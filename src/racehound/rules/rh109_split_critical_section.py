"""A decision is made under a lock and carried out under the same lock, but not in one go.

Between the two critical sections the lock is free. Another thread comes in and changes what the decision was based
on; the second section goes on as if nothing had happened. Every single access is guarded, which is why it looks
right. It looks even more so where two methods of an object, each of which locks, are called one after the other
from outside: `gauge.set(gauge.get() + 1)`.

Hold the lock over both, or look again in the second section.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

from racehound.analysis.locking.outside_sections import OutsidePair, outside_pairs
from racehound.analysis.meaning.arguments import given
from racehound.analysis.program import Program
from racehound.analysis.state.compound import own_read
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import Gap, Gaps, gaps_of
from racehound.analysis.state.hazards import Hazard, hazard, is_idempotent, is_maker, makes_something, stored
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.state.plain import LIVE
from racehound.analysis.state.steps import Step
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, seen_from
from racehound.rules.state.kept_objects import keeps_object
from racehound.source.events import Action, Call, Exit, Place, Release, Shape, Touch
from racehound.source.facts import FunctionFacts

_HAZARDS = frozenset({Hazard.CREATE, Hazard.INSERT, Hazard.MISSING, Hazard.EMPTY})


class SplitCriticalSection(Rule):
    meta = RuleMeta(
        code="RH109",
        name="split-critical-section",
        summary="`{target}` is looked at and changed in `{function}` under `{lock}`, which is free in between",
        severity=Severity.ERROR,
        race_type="Atomicity Violation",
        impact="Lost update or double work: the change is based on what is no longer true.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._count = 5

                def sell(self, amount):
                    with self._lock:
                        left = self._count
                    with self._lock:
                        self._count = left - amount  # RH
            """),
        Bad(
            """
            import threading

            class Cache:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._entries = {}

                def get(self, key):
                    with self._lock:
                        missing = key not in self._entries
                    if missing:
                        value = Entry(key)
                        with self._lock:
                            self._entries[key] = value  # RH
                    with self._lock:
                        return self._entries.get(key)
            """,
            is_possible=True,
        ),
    )
    good = (
        Good("""
            import threading

            class Stock:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._count = 5

                def sell(self, amount):
                    with self._lock:
                        left = self._count
                        self._count = left - amount
            """),
        Good("""
            import threading

            class Cache:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._entries = {}

                def get(self, key):
                    with self._lock:
                        missing = key not in self._entries
                    if missing:
                        value = Entry(key)
                        with self._lock:
                            if key not in self._entries:
                                self._entries[key] = value
                    with self._lock:
                        return self._entries.get(key)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for owner in meetings.owners():
            gaps = gaps_of(program, owner)
            for field, uses in meetings.fields(owner).items():
                if any(use.changes and use.locks for use in uses):
                    pairs = (*_decisions(gaps, field), *_updates(gaps, uses), *_through_helpers(gaps, field))
                    yield from self._judge(program, owner, field, pairs)
        for pair in outside_pairs(program):
            yield self._accuse_outside(program, pair)

    def _judge(
        self, program: Program, owner: Owner, field: str, pairs: tuple[tuple[Use, Use], ...]
    ) -> Iterator[Finding]:
        meetings = Meetings(program)
        uses = meetings.fields(owner)[field]
        for look, act in pairs:
            met = meetings.may_meet_at(owner, uses, act.function, act.function)
            if met and not meetings.are_inherited(owner, act):
                yield self._accuse(program, owner, field, (look, act))

    def _accuse(self, program: Program, owner: Owner, field: str, pair: tuple[Use, Use]) -> Finding:
        meetings = Meetings(program)
        look, act = pair
        uses = meetings.fields(owner)[field]
        lock = str(program.locksets.named(look.locks & act.locks)[0])
        target, function = str(act.touch.place), act.function.name
        accusation = Accusation(
            owner=owner,
            field=field,
            first=act,
            second=look,
            trigger=(
                f"A thread in `{function}` looks at `{target}` under `{lock}` and releases it; another thread "
                f"changes `{target}`; the first takes `{lock}` again and acts on what it saw before."
            ),
            confidence=_confidence(act, meetings.certainty(owner, act.function, act.function, uses)),
            grade=Grade.GIL,
            others=functions(uses),
            lock=lock,
            evidence=(look, act),
        )
        return self.accuse(program, accusation, target=target, lock=lock, function=function)

    def _accuse_outside(self, program: Program, pair: OutsidePair) -> Finding:
        """Two methods that lock, called one after the other from outside."""
        lock = str(program.locksets.named(pair.read.locks & pair.write.locks)[0])
        look, act = (_at_call(pair, at) for at in (pair.asked, pair.told))
        target, function = str(act.touch.place), pair.function.name
        accusation = Accusation(
            owner=pair.owner,
            field=pair.field,
            first=act,
            second=look,
            trigger=(
                f"A thread in `{function}` asks `{pair.read.function.name}`, which releases `{lock}`; another "
                f"thread changes `{target}`; the first calls `{pair.write.function.name}` all the same."
            ),
            confidence=MeetingDoubt.NOT_SEEN_TOGETHER.likely,
            grade=Grade.GIL,
            lock=lock,
            evidence=(look, act),
            further=(pair.read, pair.write),
        )
        return self.accuse(program, accusation, target=target, lock=lock, function=function)


def _at_call(pair: OutsidePair, at: int) -> Use:
    """What a method does to the field, as an act of the one who calls it."""
    call, use = pair.function.events[at], pair.write if at == pair.told else pair.read
    if not isinstance(call, Call) or call.callee is None:
        return use
    place = Place(call.callee.root, (*call.callee.attributes[:-1], pair.field))
    return use._replace(function=pair.function, index=at, touch=use.touch._replace(place=place, span=call.span))


def _confidence(act: Use, sure: Sureness) -> Sureness:
    """An update that is lost, or one object too many; of what is merely looked up again, either will do."""
    counted = own_read(act.function, act.index) is not None or _is_worked_out(act)
    takes = act.touch.action in {Action.MUTATE, Action.DELETE}
    if sure.is_possible or counted or takes or keeps_object(act):
        return sure
    return HarmDoubt.LOOKED_UP.possible


def _decisions(gaps: Gaps, field: str) -> Iterator[tuple[Use, Use]]:
    for gap in gaps.of(field):
        kind = hazard(gap) if gap.is_split and not _is_claimed(gap) and not _is_memo(gap) else None
        if kind is Hazard.SPEND or (
            kind in _HAZARDS and (not _is_repeatable(gap.act.use) or _makes_for_a_helper(gap))
        ):
            yield seen_from(gap.function, gap.check), seen_from(gap.function, gap.act)


def _is_claimed(gap: Gap) -> bool:
    """True if the field is changed before the lock is let go of: whoever comes sees that somebody is at it."""
    events = gap.function.events
    for index in range(gap.check.at + 1, gap.act.at):
        event = events[index]
        if isinstance(event, Release):
            return False
        if isinstance(event, Touch) and event.place == gap.act.use.touch.place and _claims(event, gap.check.key):
            return True
    return False


def _claims(touch: Touch, key: str | None) -> bool:
    """True for a new value of the field, or of the entry that was asked for."""
    if touch.action is Action.WRITE:
        return True
    puts = touch.action is Action.WRITE_ITEM or touch.method == "add"
    return puts and key is not None and touch.key == key


def _is_memo(gap: Gap) -> bool:
    """True if whoever misses something makes it, stores it and answers with its own: either of two will do.

    Made twice because nobody should wait meanwhile. A connection that is made twice is another matter.
    """
    use = gap.act.use
    names = {value.place.root for value in use.touch.values if value.shape is Shape.PLACE and value.place}
    if (
        hazard(gap) is not Hazard.INSERT
        or use.touch.action is not Action.WRITE_ITEM
        or use.function is not gap.function
    ):
        return False
    answers = {
        event.value.place.root
        for event in use.function.events[use.index :]
        if isinstance(event, Exit)
        and event.kind == "return"
        and event.value.shape is Shape.PLACE
        and event.value.place
    }
    made = (value.name for value in stored(use))
    return bool(names & answers) and not any(LIVE.search(name) for name in (*names, *made))


def _is_repeatable(use: Use) -> bool:
    """Equal values, stored twice, do no harm."""
    touch = use.touch
    made = any(value.shape is Shape.CONTAINER for value in stored(use))
    if touch.action is Action.WRITE_ITEM and not made and not makes_something(use):
        return True  # worked out twice, because nobody should wait meanwhile
    return touch.action in {Action.WRITE, Action.WRITE_ITEM} and is_idempotent(use) and not touch.sources


def _makes_for_a_helper(gap: Gap) -> bool:
    """True for `self.put(key, Session(key))`: what is stored there is made here, once too often."""
    call, helper = gap.function.events[gap.act.at], gap.act.use.function
    if not isinstance(call, Call) or helper is gap.function:
        return False
    known = dict(given(helper, call))
    passed = [
        known[value.place.root] for value in gap.act.use.touch.values if value.place and value.place.root in known
    ]
    names = [value.place.root for value in passed if value.shape is Shape.PLACE and value.place]
    made = [*passed, *(value for name in names for value in gap.function.bindings.get(name, ()))]
    return any(value.shape is Shape.CALL and is_maker(value.name) for value in made)


def _updates(gaps: Gaps, uses: list[Use]) -> Iterator[tuple[Use, Use]]:
    """The value read in one section is what is written in another."""
    by_function: dict[FunctionFacts, dict[int, Use]] = {}
    for use in uses:
        by_function.setdefault(use.function, {})[use.index] = use
    for function, own in by_function.items():
        places = sorted(own)
        for write in map(own.__getitem__, places):
            read = own.get(_read_for(write))
            if read is None or not read.locks & write.locks:
                continue
            again, restart = gaps.given_up(function, read.index, write.index)
            looks = bisect_right(places, restart) < bisect_left(places, write.index)
            if again & read.locks & write.locks and not looks:
                yield read, write


def _read_for(write: Use) -> int:
    read = own_read(write.function, write.index)
    return -1 if read is None else read


def _through_helpers(gaps: Gaps, field: str) -> Iterator[tuple[Use, Use]]:
    """`value = self.get(key)`, and then `value + 1` is stored: the helper has let go of the lock."""
    for function, steps in gaps.steps.of(field):
        reads: dict[int, list[Step]] = {}
        for step in steps:
            if step.answers and not step.is_inside and not step.use.changes:
                reads.setdefault(step.at, []).append(step)
        for write in steps if reads else ():
            if write.is_inside and write.locks:
                for at in sorted(reads.keys() & write.use.touch.sources):
                    yield from _fed_by(gaps, function, steps, reads[at], write)


def _fed_by(
    gaps: Gaps, function: FunctionFacts, steps: list[Step], reads: list[Step], write: Step
) -> Iterator[tuple[Use, Use]]:
    for read in reads:
        if _feeds(read, write) and gaps.is_free_between(function, read.at, write.at):
            first, last = bisect_right(steps, read.at, key=_at), bisect_left(steps, write.at, key=_at)
            looks = any(step.locks & write.locks for step in islice(steps, first, last))
            if not looks and _is_worked_out(write.use):
                yield seen_from(function, read), write.use


def _at(step: Step) -> int:
    return step.at


def _feeds(read: Step, write: Step) -> bool:
    """True if what a helper has read of the field is what is written to it, the lock being the same."""
    touch = write.use.touch
    same = touch.action is Action.WRITE or (touch.action is Action.WRITE_ITEM and touch.key == read.key)
    return same and bool(read.locks & write.locks) and read.at < write.at


def _is_worked_out(use: Use) -> bool:
    """True for `value + 1`, itself or by the name it was given; a value that is stored as it is says nothing."""
    stored = use.touch.values
    names = [value.place.root for value in stored if value.place is not None and not value.place.attributes]
    given = [value for name in names for value in use.function.bindings.get(name, ())]
    return any(value.shape is Shape.OTHER for value in (*stored, *given))
