"""A lock is held, but not one that keeps anybody out.

`with threading.Lock():` makes a new lock for every call: nobody else can wait for it. The same goes for a lock
that is made in a local variable and given to nobody. A lock that is made by whoever finds none is made twice by
two that come at once, and each holds its own. And a field that is changed under one lock here and under
another one there is guarded by neither.

Make one lock, where everybody who needs it can reach it, and use it for all changes of the same state.
"""

from collections.abc import Iterable, Iterator

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.locking.late_locks import is_made_late
from racehound.analysis.locking.locks import THREAD_LOCKS
from racehound.analysis.locking.takings import Takings
from racehound.analysis.program import Program
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.fields import Use
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.model.doubt import CERTAIN
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.locking.fresh_locks import is_named_otherwise, source_of
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of
from racehound.source.events import Acquire, Action, Bind, Call, Event, Place, Release, Shape, Touch, Value
from racehound.source.facts import FunctionFacts


class WrongLock(Rule):
    meta = RuleMeta(
        code="RH111",
        name="wrong-lock",
        summary="{what}",
        severity=Severity.ERROR,
        race_type="Wrong Lock",
        impact="No protection: threads that hold different locks run at the same time.",
        since="0.1.0",
        tags=frozenset({"threads", "locks", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            TOTAL = 0

            def add(amount):
                global TOTAL
                with threading.Lock():  # RH
                    TOTAL += amount
            """),
        Bad("""
            import threading

            class Meter:
                def __init__(self):
                    self._read_lock = threading.Lock()
                    self._write_lock = threading.Lock()
                    self._values = {}

                def record(self, name, value):
                    with self._write_lock:
                        self._values[name] = value  # RH

                def forget(self, name):
                    with self._read_lock:
                        self._values.pop(name, None)
            """),
    )
    good = (
        Good("""
            import threading

            TOTAL = 0
            LOCK = threading.Lock()

            def add(amount):
                global TOTAL
                with LOCK:
                    TOTAL += amount
            """),
        Good("""
            import threading

            def fetch_all(urls):
                lock = threading.Lock()
                pages = []

                def fetch(url):
                    with lock:
                        pages.append(url)

                threads = [threading.Thread(target=fetch, args=(url,)) for url in urls]
                with lock:
                    return threads
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        takings = Takings(program)
        for function in takings.owners():
            for index, event in enumerate(function.events):
                if isinstance(event, Acquire) and _is_made_here(program, function, index, event):
                    yield self._fresh(program, function, index, event)
                elif isinstance(event, Touch) and is_made_late(program, function, index, event):
                    yield self._late(program, function, index, event)
        meetings = Meetings(program)
        for owner in meetings.owners():
            for field, uses in meetings.fields(owner).items():
                yield from self._two(program, owner, field, uses)

    def _fresh(self, program: Program, function: FunctionFacts, index: int, event: Acquire) -> Finding:
        place = event.value.place or Place("lock")
        use = operation(program, function, index, Action.ACQUIRE, place)
        name = f"{place}()" if event.value.shape is Shape.CALL else str(place)
        sure = CERTAIN if event.value.shape is not Shape.OTHER else MeetingDoubt.NOT_SEEN_TOGETHER.likely
        accusation = Accusation(
            owner=owner_of(function),
            field=place.root,
            first=use,
            second=use,
            trigger=f"Two threads run `{function.name}`: each has a lock of its own, and both are inside at once.",
            confidence=MeetingDoubt.AT_IMPORT.possible if function.is_module_body else sure,
            grade=Grade.GIL,
        )
        what = f"`{name}` in `{function.name}` is a new lock for every call: it keeps nobody out"
        return self.accuse(program, accusation, what=what)

    def _late(self, program: Program, function: FunctionFacts, index: int, event: Touch) -> Finding:
        use = operation(program, function, index, Action.WRITE, event.place)
        name = str(event.place)
        accusation = Accusation(
            owner=owner_of(function),
            field=(event.place.attributes or (event.place.root,))[0],
            first=use,
            second=use,
            trigger=(
                f"Two threads run `{function.name}` and find no `{name}`: each creates one, the second "
                "replaces the first, and each of them holds its own."
            ),
            confidence=MeetingDoubt.NOT_SEEN_TOGETHER.likely,
            grade=Grade.GIL,
        )
        return self.accuse(
            program, accusation, what=f"`{name}` is created in `{function.name}` by whichever thread finds none"
        )

    def _two(self, program: Program, owner: Owner, field: str, uses: list[Use]) -> Iterator[Finding]:
        changes = [use for use in uses if use.changes]
        if len(changes) < 2 or not all(use.locks for use in changes):
            return
        different = _different(changes)
        for first in different:
            for second in different:
                if self._are_apart(program, owner, first, second):
                    yield self._accuse(program, owner, field, (first, second), uses)
                    return

    def _are_apart(self, program: Program, owner: Owner, first: Use, second: Use) -> bool:
        if first.locks & second.locks or first.function is second.function:
            return False
        takings = Takings(program)
        for use in (first, second):
            takings.direct(use.function)
        known = sum(takings.kinds)
        both = bool(first.locks & known) and bool(second.locks & known)
        return (
            both
            and not (first.locks | second.locks) & ~known
            and Meetings(program).may_meet(owner, first.function, second.function)
        )

    def _accuse(
        self, program: Program, owner: Owner, field: str, pair: tuple[Use, Use], uses: list[Use]
    ) -> Finding:
        first, second = pair
        names = [str(program.locksets.named(use.locks)[0]) for use in pair]
        target = str(first.touch.place)
        accusation = Accusation(
            owner=owner,
            field=field,
            first=first,
            second=second,
            trigger=(
                f"One thread is in `{first.function.name}` and holds `{names[0]}`, another one in "
                f"`{second.function.name}` and holds `{names[1]}`: both change `{target}` at once."
            ),
            confidence=MeetingDoubt.NOT_SEEN_TOGETHER.likely,
            grade=Grade.GIL,
            others=functions(uses),
            lock=names[0],
        )
        what = (
            f"`{target}` is changed under `{names[0]}` in `{first.function.name}` and under `{names[1]}` in "
            f"`{second.function.name}`"
        )
        return self.accuse(program, accusation, what=what)


def _different(changes: list[Use]) -> list[Use]:
    """The first of each function and its locks, if another one holds none of these."""
    held = {use.locks for use in changes}
    apart = {locks for locks in held if any(not locks & other for other in held)}
    first: dict[tuple[FunctionFacts, int], Use] = {}
    for use in changes:
        if use.locks in apart:
            first.setdefault((use.function, use.locks), use)
    return list(first.values())


_HOLDING = "acquire|release"


def _is_made_here(program: Program, function: FunctionFacts, index: int, event: Acquire) -> bool:
    return _is_fresh(program, function, event.value) or _is_fresh_at_times(program, function, index, event)


def _is_fresh(program: Program, function: FunctionFacts, value: Value) -> bool:
    """True for a lock that is made here and given to nobody."""
    if value.shape is Shape.CALL:
        section = any(isinstance(event, Release) and event.value == value for event in function.events)
        return section and value.place is not None and program.kinds.callee(function, value.place) in THREAD_LOCKS
    place = value.place
    if place is None or place.attributes or place.root not in function.bound or function.is_module_body:
        return False
    made = [
        item
        for event in function.events
        if isinstance(event, Bind) and event.name == place.root
        for item in event.values
    ]
    if not made or any(item.shape is not Shape.CALL for item in made):
        return False
    if not all(item.place and program.kinds.callee(function, item.place) in THREAD_LOCKS for item in made):
        return False  # a function that makes locks may know them
    return not _is_shown(function, place.root)


def _is_fresh_at_times(program: Program, function: FunctionFacts, index: int, event: Acquire) -> bool:
    """True for `with self._lock if self._shared else threading.Lock():`."""
    if event.value.shape is not Shape.OTHER or event.is_async:
        return False
    for at in range(index - 1, -1, -1):
        made = function.events[at]
        if isinstance(made, Call):
            inside = made.callee is not None and is_inside(made.span, event.span)
            if not inside or made.callee is None:
                return False
            if program.kinds.callee(function, made.callee) in THREAD_LOCKS:
                return True
    return False


def _is_shown(function: FunctionFacts, name: str) -> bool:
    """True if the name is passed on, stored, returned, waited for, or used by a function inside."""
    inner = [item for item in function.module.functions if _is_within(item, function)]
    mentions = any(name in set(_roots(_values(event))) for event in function.events)
    return (
        mentions or any(name in source_of(item) for item in inner) or is_named_otherwise(function, name, _HOLDING)
    )


def _is_within(item: FunctionFacts, function: FunctionFacts) -> bool:
    scope = item.parent
    while scope is not None:
        if scope is function:
            return True
        scope = scope.parent
    return False


def _values(event: Event) -> tuple[Value, ...]:
    if isinstance(event, Acquire | Release):
        return ()
    values = [getattr(event, "value", None), *getattr(event, "values", ()), *getattr(event, "arguments", ())]
    values.extend(value for _, value in getattr(event, "keywords", ()))
    return tuple(value for value in values if isinstance(value, Value))


def _roots(values: Iterable[Value]) -> Iterator[str]:
    for value in values:
        if value.place is not None and value.shape is not Shape.CALL:
            yield value.place.root
        yield from _roots(value.arguments)
        yield from _roots(item for _, item in value.keywords)
