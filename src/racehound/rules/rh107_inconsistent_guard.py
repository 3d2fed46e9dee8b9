"""A field is changed in one place and used in another, and no lock is common to both.

Locking some uses of a field protects none of them: the use without the lock runs in the middle of the locked
section, sees half of a change, or overwrites it. The same holds for a class that threads share and that locks
nothing at all: a method of several steps meets another one between its steps. Both go well most of the time,
because the window is short.

Hold the same lock in every method that uses the field, readers included.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import combinations

from racehound.analysis.compound import is_interruptible, own_read
from racehound.analysis.discipline import functions, is_majority
from racehound.analysis.endings import RESETTING, TEARDOWN
from racehound.analysis.fields import Use
from racehound.analysis.figures import begins_anew, is_figure
from racehound.analysis.growth import grows_in_place, replaces
from racehound.analysis.hierarchy import outer_method
from racehound.analysis.kinds import CONTAINERS, DEQUES
from racehound.analysis.locksets import is_private
from racehound.analysis.meeting import Meetings
from racehound.analysis.pairs import Pair, Pairs
from racehound.analysis.program import Program
from racehound.analysis.sharing import Sharing
from racehound.analysis.wrappers import is_handed_out
from racehound.model.finding import Confidence, Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.guard_doubts import is_lock_for_others, is_weak
from racehound.rules.guard_grounds import is_met
from racehound.rules.guard_order import is_arranged, is_before_its_section, is_fast_path
from racehound.rules.rule import Accusation, Rule, once
from racehound.source.events import Acquire, Action, Call, Decision, Shape, Value
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


class InconsistentGuard(Rule):
    meta = RuleMeta(
        code="RH107",
        name="inconsistent-guard",
        summary="`{field}` is used in `{first}` and `{second}` with no lock in common",
        severity=Severity.ERROR,
        race_type="Inconsistent Guard",
        impact="Data corruption: a method sees or overwrites a change that another one has half made.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Registry:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._names = set()

                def add(self, name):
                    with self._lock:
                        self._names.add(name)

                def rename(self, old, new):
                    with self._lock:
                        self._names.discard(old)
                        self._names.add(new)

                def has(self, name):
                    return name in self._names  # RH
            """),
        Bad("""
            class Account:
                '''Thread-safe: every method is short.'''

                def __init__(self):
                    self.balance = 0

                def deposit(self, amount):
                    self.balance += amount  # RH

                def clear(self):
                    self.balance = 0
            """),
    )
    good = (
        Good("""
            import threading

            class Registry:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._names = set()

                def add(self, name):
                    with self._lock:
                        self._names.add(name)

                def has(self, name):
                    with self._lock:
                        return name in self._names
            """),
        Good("""
            import threading

            class Worker:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._stopped = False

                def stop(self):
                    with self._lock:
                        self._stopped = True

                def run(self):
                    while not self._stopped:
                        pass
            """),
        Good("""
            import threading

            class Service:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._client = None

                def client(self):
                    if self._client is None:
                        with self._lock:
                            if self._client is None:
                                self._client = object()
                    return self._client
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for owner in program.hierarchy.classes:
            if program.shared.why(owner) is not None:
                pairs = Pairs(program.fields.of_class(owner), partial(meetings.may_meet, owner))
                yield from self._fields(program, owner, pairs)
        for module in program.modules:
            yield from self._fields(program, module, Pairs(program.fields.of_module(module)))

    def _fields(self, program: Program, owner: ClassFacts | ModuleFacts, pairs: Pairs) -> Iterator[Finding]:
        for name, uses in Meetings(program).own_fields(owner):
            pair = pairs.choose(name)
            if pair is not None and not pair.lock and _only_grows(program, owner, name, pair):
                continue
            if program.fields.kinds(owner, name) & DEQUES:
                continue  # each step is whole by itself
            if pair is not None and _belongs_here(program, owner, pair) and not _is_between_tasks(program, pair):
                sharing = program.shared.why(owner) if isinstance(owner, ClassFacts) else None
                confidence = _confidence(program, owner, sharing, pair, uses)
                yield self._accuse(program, owner, name, uses, pair, confidence)

    def _accuse(
        self,
        program: Program,
        owner: ClassFacts | ModuleFacts,
        name: str,
        uses: list[Use],
        pair: Pair,
        confidence: Confidence,
    ) -> Finding:
        first, second = (outer_method(use.function).name for use in (pair.first, pair.second))
        lock = next((str(item) for item in program.locksets.named(pair.lock)), None)
        target = name if isinstance(owner, ModuleFacts) else f"self.{name}"
        wide = any(_is_wide(use, pair.steps) for use in (pair.first, pair.second))
        accusation = Accusation(
            owner=owner,
            field=name,
            first=pair.first,
            second=pair.second,
            trigger=_trigger(pair, target, lock),
            confidence=confidence,
            grade=Grade.GIL if wide else Grade.FREE_THREADED,
            others=functions(uses),
            lock=lock,
            further=pair.further,
        )
        return self.accuse(program, accusation, field=target, first=first, second=second)


def _only_grows(program: Program, owner: ClassFacts | ModuleFacts, name: str, pair: Pair) -> bool:
    return grows_in_place(program, owner, name, pair.first) and not replaces(pair.second)


def _belongs_here(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair) -> bool:
    """A pair that a base class has already by itself is accused there."""
    owners = {pair.first.function.owner, pair.second.function.owner}
    return owner in owners or not any(item is not None and program.shared.why(item) for item in owners)


def _is_between_tasks(program: Program, pair: Pair) -> bool:
    """True for an `asyncio.Lock`: what holds none runs between two awaits of the others, alone.

    A semaphore that lets several in is no guard either.
    """
    function = pair.second.function
    if any("semaphore" in str(lock).lower() for lock in program.locksets.named(pair.lock)):
        return True
    return any(
        isinstance(event, Acquire) and event.is_async and program.locksets.taken(function, event.value) & pair.lock
        for event in function.events
    )


def _is_lent(program: Program, function: FunctionFacts) -> bool:
    """True for a private method that another class of the module calls: that class may hold the lock."""
    owner = function.owner
    if owner is None or not is_private(function) or not function.is_method:
        return False
    family = program.hierarchy.family(owner)
    strangers = (other for other in function.module.functions if other.owner not in family)
    return any(
        isinstance(event, Call) and event.method == function.name for other in strangers for event in other.events
    )


def _is_called_otherwise(program: Program, owner: ClassFacts | ModuleFacts, *functions: FunctionFacts) -> bool:
    """True if the one that calls them may hold the lock, or is on a loop, or is not there."""
    meetings = Meetings(program)
    return meetings.are_called_on_loops(*functions) or any(
        is_handed_out(item)
        or _is_lent(program, item)
        or program.mentions.is_unheard(item)
        or (isinstance(owner, ClassFacts) and meetings.is_always_called_locked(owner, item))
        for item in functions
    )


def _confidence(
    program: Program, owner: ClassFacts | ModuleFacts, sharing: Sharing | None, pair: Pair, uses: list[Use]
) -> Confidence:
    both = (pair.first.function, pair.second.function)
    if isinstance(owner, ClassFacts) and not pair.lock and Meetings(program).is_doubtful(owner, *both):
        return Confidence.POSSIBLE
    if _is_called_otherwise(program, owner, *both) or is_before_its_section(program, pair):
        return Confidence.POSSIBLE
    if isinstance(owner, ClassFacts) and (
        _is_of_changing_object(program, owner, pair)
        or is_figure(program, owner, uses)
        or (not (sharing and sharing.claims) and _is_fresh_start(pair))
    ):
        return Confidence.POSSIBLE
    if (
        is_fast_path(program, pair)
        or is_weak(pair, uses)
        or (isinstance(owner, ClassFacts) and is_arranged(program, owner, pair, uses))
    ):
        return Confidence.POSSIBLE
    if pair.both_change and program.shared.is_resolved(pair.first.function, pair.second.function):
        return Confidence.CERTAIN
    if _is_one_look(program, pair, uses) or any(TEARDOWN.match(function.name) for function in both):
        return Confidence.POSSIBLE
    claims = sharing is not None and sharing.claims
    values = _stores_a_value(program, owner, pair, uses) or _is_value(program, owner, pair, uses)
    if pair.lock and not claims and values:
        return Confidence.POSSIBLE
    if pair.lock:
        named = _is_named_for(program, pair)
        meant = pair.first.changes if named else _is_meant(pair, uses)
        meant = meant or is_majority(uses, pair.lock)
        meant = meant and (is_met(program, owner, pair) or not _is_restart(pair))
        return Confidence.LIKELY if meant and not _only_adds(pair, uses) else Confidence.POSSIBLE
    counted = own_read(pair.first.function, pair.first.index) is not None
    return Confidence.LIKELY if claims and counted else Confidence.POSSIBLE


def _is_restart(pair: Pair) -> bool:
    """True if the section under the lock begins anew, most often between two runs."""
    named = RESETTING.match(outer_method(pair.second.function).name) is not None
    return named and begins_anew(pair.second) and not pair.is_torn


def _is_value(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair, uses: list[Use]) -> bool:
    """True for a number, a name or a state on which no section under the lock counts: nothing in it can be torn.

    The same holds for what locks itself: each of its steps is whole.
    """
    field = pair.first.touch.place.attributes[:1] or (pair.first.touch.place.root,)
    kinds = program.fields.kinds(owner, field[0])
    if kinds and all(isinstance(kind, ClassFacts) and program.locks.owned(kind) for kind in kinds - {"None"}):
        return not any(use.touch.action is Action.WRITE for use in uses if use.changes)
    if kinds & CONTAINERS or any(isinstance(kind, ClassFacts) for kind in kinds):
        return False
    if _is_counted_on(pair, uses):
        return False
    changes = [use for use in uses if use.changes]
    return bool(changes) and all(use.touch.action is Action.WRITE and not _makes_object(use) for use in changes)


def _is_counted_on(pair: Pair, uses: list[Use]) -> bool:
    """True if a section under the lock goes one way or the other by what it finds, or writes it back changed.

    So does the accused, if it writes back what it has read.
    """
    held = [use for use in uses if use.locks & pair.lock]
    if any(use.changes and own_read(use.function, use.index) is not None for use in (pair.first, *held)):
        return True
    deciding = {
        use.function: use.index
        for use in held
        for event in use.function.events
        if isinstance(event, Decision) and use.index in event.sources
    }
    return any(deciding.get(use.function, use.index) < use.index for use in held if use.changes)


def _makes_object(use: Use) -> bool:
    """True for `self._thread = Thread(...)` and `self._items = [...]`."""
    return any(
        value.shape is Shape.CONTAINER or (value.shape is Shape.CALL and value.name.lstrip("_")[:1].isupper())
        for value in use.touch.values
    )


def _stores_a_value(program: Program, owner: ClassFacts | ModuleFacts, pair: Pair, uses: list[Use]) -> bool:
    """True for `self.limit = limit` beside the lock, where no thread of the class is known to come.

    A number or a name that is stored whole is either the old or the new one for all others; an update that is lost
    is another rule's matter. What is emptied, made anew or set to a state is what others decide by.
    """
    touch = pair.first.touch
    if touch.action is not Action.WRITE or not touch.values or not isinstance(owner, ClassFacts):
        return False
    if not all(value.shape in {Shape.PLACE, Shape.OTHER} and not _is_state(value) for value in touch.values):
        return False
    both = (pair.first.function, pair.second.function)
    counted = own_read(both[0], pair.first.index)
    if any(use.function is both[0] and use.index < pair.first.index and use.index != counted for use in uses):
        return False  # by what it saw
    if counted is not None and not is_lock_for_others(program, owner, uses):
        return False
    return not (program.shared.is_own_thread(owner, *both) or program.shared.is_resolved(*both))


def _is_state(value: Value) -> bool:
    """True for a state that has a name: `RUNNING`."""
    return value.place is not None and (value.place.attributes or (value.place.root,))[-1].isupper()


def _is_fresh_start(pair: Pair) -> bool:
    """True if no lock is known, and all that one of the two does is to begin anew, most often between two uses."""
    return pair.both_change and not pair.lock and any(map(begins_anew, (pair.first, pair.second)))


def _is_of_changing_object(program: Program, owner: ClassFacts, pair: Pair) -> bool:
    """True for `self._current.state`, where `_current` is now this object and now that one."""
    holder, *rest = pair.first.touch.place.attributes or ("",)
    return bool(rest) and any(use.changes for use in program.fields.of_class(owner).get(holder, ()))


def _is_one_look(program: Program, pair: Pair, uses: list[Use]) -> bool:
    """True if the accused takes one value, whole, which every section under the lock leaves behind whole."""
    if not pair.is_snapshot:
        return False
    held = [use for use in uses if use.changes and use.locks & pair.lock and use.touch.action is not Action.WRITE]
    return not any(
        one.function is other.function and program.awaits.paths(one.function).reaches(one.index, other.index)
        for one, other in combinations(held, 2)
    )


def _is_named_for(program: Program, pair: Pair) -> bool:
    """True if the lock has the name of the field: `_outbuf_lock` and `_outbufs`."""
    field = pair.first.touch.place.attributes[:1] or (pair.first.touch.place.root,)
    stems = (
        _LOCK_WORD.sub("", str(lock).rpartition(".")[2]).strip("_") for lock in program.locksets.named(pair.lock)
    )
    return any(stem and field[0].strip("_").startswith(stem) for stem in stems)


_LOCK_WORD = re.compile(r"_*(r?lock|mutex|condition|cond|guard|semaphore)$", re.IGNORECASE)


def _is_meant(pair: Pair, uses: list[Use]) -> bool:
    """A change without the lock, where the lock is not merely held for something else at that moment."""
    locking = {use.function for use in uses if use.locks & pair.lock}
    return pair.first.changes and 3 * len(locking) >= len(functions(uses))


def _only_adds(pair: Pair, uses: list[Use]) -> bool:
    """True for one atomic step that adds something, where nobody goes over the container or replaces it."""
    touch = pair.first.touch
    alone = [use for use in uses if use.function is pair.first.function]
    adds = touch.method in {"append", "appendleft", "add"} or touch.action is Action.WRITE_ITEM
    if not adds or len(alone) > 1 or own_read(pair.first.function, pair.first.index) is not None:
        return False
    return not any(use.touch.action in {Action.ITERATE, Action.WRITE} for use in uses)


def _is_wide(use: Use, steps: tuple[Use, ...]) -> bool:
    """True if the function of a use can be stopped between its first and its last step."""
    indices = [other.index for other in steps if other.function is use.function]
    return is_interruptible(use.function, min(indices), max(indices))


def _trigger(pair: Pair, target: str, lock: str | None) -> str:
    first, second = (outer_method(use.function).name for use in (pair.first, pair.second))
    doing, other = pair.first.touch.action.value, pair.second.touch.action.value
    if lock is not None:
        return (
            f"`{second}` holds `{lock}` while it {other} `{target}`; `{first}` {doing} it without that lock, "
            f"so it can run at any moment of what `{second}` does."
        )
    return (
        f"A thread in `{first}`, which {doing} `{target}`, is stopped between two steps; another thread runs "
        f"`{second}`, which {other} it; the first one goes on with what is no longer so."
    )
