"""A loop goes over a container while another thread, or another task, changes its size.

`for key in self._sessions` raises `RuntimeError: dictionary changed size during iteration` when another thread
adds or removes a key before the loop is done. The more entries there are and the longer a round takes, the more
often it happens: rarely in tests, regularly in production.

A loop with an `await` in it gives way in each round: there another task can do the same, without any thread. A
list does not raise: when an item is taken out, those behind it move up, and the loop passes over one of them.

What a finalizer, the callback of a weak reference or a signal handler puts in or takes out, it does in the middle
of a loop as well, in the thread of the loop itself: the collector runs wherever something is made. No lock helps
against that. Copies that are made item by item, as by `copy.deepcopy`, are loops too.

Who changes a container by storing a changed copy of it must leave the copy alone from then on.

Take a copy in one step (`list(self._sessions)`) and go over that, or hold one lock over the loop and the change.
"""

from collections.abc import Iterator
from functools import partial

from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.cells import CLOSURE
from racehound.analysis.state.discipline import functions, is_disturbed
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gone_over import gone_over_outside
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.state.module_meeting import is_kept_under_lock
from racehound.model.doubt import Doubt, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation
from racehound.rules.state.changed_copies import changed_copies
from racehound.rules.state.collected_items import collected
from racehound.rules.state.entry_loops import entry_loops
from racehound.rules.state.guard_order import is_beginning
from racehound.rules.state.interrupted import interrupted
from racehound.rules.state.loops_of_tasks import adds_by_name, loops_of_tasks, takes_back
from racehound.rules.state.resizing import LISTS, breaks, is_for_one_entry
from racehound.source.events import Action
from racehound.source.facts import ClassFacts, ModuleFacts


class IterateWhileResized(Rule):
    meta = RuleMeta(
        code="RH103",
        name="iterate-while-resized",
        summary="`{target}` is iterated in `{first}` while `{second}` can change its size",
        severity=Severity.ERROR,
        race_type="Iteration Mutation",
        impact="RuntimeError in the middle of the loop, or, in a list, an item that is skipped.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state", "unsafe-dict-access"}),
    )
    bad = (
        Bad(
            """
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
            """,
            fixed="""
            import threading

            class Sessions:
                def __init__(self):
                    self._minutes = {}
                    self._lock = threading.Lock()

                def log_in(self, user):
                    with self._lock:
                        self._minutes[user] = 30

                def names(self):
                    with self._lock:
                        return [user.title() for user in self._minutes]

                def start(self):
                    threading.Thread(target=self.log_in, args=("ada",)).start()
            """,
        ),
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
        Bad("""
            class Channels:
                def __init__(self):
                    self._open = set()

                def add(self, channel):
                    self._open.add(channel)

                async def restore(self):
                    for channel in self._open:  # RH
                        await channel.restore()
            """),
    )
    good = (
        Good("""
            class Channels:
                def __init__(self):
                    self._open = set()

                def add(self, channel):
                    self._open.add(channel)

                async def restore(self):
                    for channel in list(self._open):
                        await channel.restore()
            """),
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
        found = list(self._all(program))
        return once(sorted(found, key=lambda finding: not finding.confidence.is_shown))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for owner in meetings.owners():
            for field, uses in meetings.own_fields(owner):
                loops = [use for use in uses if use.touch.action is Action.ITERATE]
                for loop in loops:
                    if any(is_disturbed(loop, other) for other in uses):
                        yield from self._judge(program, owner, field, loop)
                yield from self._entries(program, owner, field, uses)
        for broken in loops_of_tasks(program):
            yield self._report(program, *broken)
        yield from self._outside(program)
        for item, pair in changed_copies(program):
            yield self._accuse_copy(program, item, pair)
        for found, loop, trigger in collected(program):
            pair = (loop, found.change._replace(touch=found.change.touch._replace(action=Action.RESIZE)))
            accused = self._accusation(program, (found.owner, found.field), pair, trigger, found.confidence)
            yield self._tell(program, interrupted(accused, found.context))

    def _entries(self, program: Program, owner: Owner, field: str, uses: list[Use]) -> Iterator[Finding]:
        """Loops over what lies in the container, such as the set of listeners of one topic."""
        meetings = Meetings(program)
        seen: set[tuple[object, int]] = set()
        for loop, change in entry_loops(program, owner, field, uses):
            key = (loop.function, loop.index)
            if key not in seen and self._may_meet(program, (owner, uses), loop, change):
                seen.add(key)
                if not meetings.are_inherited(owner, loop, change):
                    yield self._accuse(program, owner, field, (loop, change))

    def _outside(self, program: Program) -> Iterator[Finding]:
        for found in gone_over_outside(program):
            pair = operation(program, found.function, found.at, Action.ITERATE, found.place), found.change
            field = found.place.attributes[-1]
            yield self._report(program, found.owner, field, pair, _RUNNING, MeetingDoubt.NOT_SEEN_TOGETHER.likely)

    def _accuse_copy(self, program: Program, owner: ClassFacts, pair: tuple[Use, Use]) -> Finding:
        loop, change = pair
        target, first, second = str(loop.touch.place), loop.function.name, change.function.name
        accusation = Accusation(
            owner=owner,
            field=".".join(loop.touch.place.attributes),
            first=change,
            second=loop,
            trigger=(
                f"`{second}` stores its copy in `{target}` and then changes it, while `{first}` goes over what it "
                "found there without a lock, since a copy is never changed."
            ),
            confidence=HarmDoubt.COPY.likely,
            grade=Grade.GIL,
            lock=str(program.locksets.named(change.locks)[0]),
        )
        return self.accuse(program, accusation, target=target, first=first, second=second)

    def _judge(self, program: Program, owner: Owner, field: str, loop: Use) -> Iterator[Finding]:
        meetings = Meetings(program)
        kinds = program.fields.kinds(owner, field)
        if kinds & LISTS:
            return
        uses = meetings.fields(owner)[field]
        rivals = [
            use for use in uses if breaks(loop, use, kinds) and self._may_meet(program, (owner, uses), loop, use)
        ]
        if rivals:
            sure = partial(meetings.certainty, owner, loop.function, uses=uses)
            surest = min(rivals, key=lambda use: sure(use.function).rank)
            if not meetings.are_inherited(owner, loop, surest):
                yield self._accuse(program, owner, field, (loop, surest))

    def _may_meet(self, program: Program, of: tuple[Owner, list[Use]], loop: Use, other: Use) -> bool:
        """Within one method, a loop and a change are steps of one thread, unless it is known to run in several."""
        ours, theirs = loop.function, other.function
        if outer_method(ours) is not outer_method(theirs):
            return Meetings(program).may_meet_at(*of, ours, theirs)
        owner, uses = of
        if (
            ours is not theirs
            and isinstance(owner, ModuleFacts)
            and is_kept_under_lock(program, owner, uses, ours, theirs)
        ):
            return True  # by a lock that one function makes for those nested in it
        contexts = program.contexts.all(ours)
        return contexts == program.contexts.all(theirs) and any(context.many for context in contexts)

    def _accuse(self, program: Program, owner: Owner, field: str, pair: tuple[Use, Use]) -> Finding:
        loop, other = pair
        sure = Meetings(program).certainty(
            owner, loop.function, other.function, Meetings(program).fields(owner)[field]
        )
        if sure.doubt is MeetingDoubt.AT_THE_END and other.locks and takes_back(other):
            sure = MeetingDoubt.BY_LOCK.likely
        doubt = None if sure.is_possible else _doubt(program, (owner, field), pair, sure)
        return self._report(program, owner, field, pair, _RUNNING, sure if doubt is None else doubt.possible)

    def _report(
        self,
        program: Program,
        owner: Owner,
        field: str,
        pair: tuple[Use, Use],
        trigger: str,
        confidence: Sureness,
    ) -> Finding:
        return self._tell(program, self._accusation(program, (owner, field), pair, trigger, confidence))

    def _accusation(
        self,
        program: Program,
        of: tuple[Owner, str],
        pair: tuple[Use, Use],
        trigger: str,
        confidence: Sureness,
    ) -> Accusation:
        (owner, field), (loop, other) = of, pair
        uses = Meetings(program).fields(owner).get(field, [])
        first, second = (_named(field, use) for use in pair)
        target, does = _target(loop), other.touch.action.value
        return Accusation(
            owner=owner,
            field=field,
            first=loop,
            second=other,
            trigger=trigger.format(first=first, second=second, target=target, does=does),
            confidence=confidence,
            grade=Grade.GIL,
            others=functions(uses),
            lock=Meetings(program).lock_of(uses),
            remedy=f"Iterate over a copy taken in one step, such as `list({target})`, or hold one lock over the "
            "loop and the change.",
        )

    def _tell(self, program: Program, accusation: Accusation) -> Finding:
        first, second = (_named(accusation.field, use) for use in (accusation.first, accusation.second))
        target = _target(accusation.first)
        return self.accuse(program, accusation, target=target, first=first, second=second)


def _doubt(program: Program, of: tuple[Owner, str], pair: tuple[Use, Use], sure: Sureness) -> Doubt | None:
    (owner, field), (_, other) = of, pair
    if not program.kinds.is_container(program.fields.kinds(owner, field)):
        return HarmDoubt.UNKNOWN_CONTAINER
    if not sure.is_likely or _claims(program, owner):
        return None
    if is_beginning(outer_method(other.function)) and not is_for_one_entry(other):
        return MeetingDoubt.AT_THE_BEGINNING
    if sure.doubt is MeetingDoubt.BY_OWN_THREAD and adds_by_name(other):
        return MeetingDoubt.AT_THE_BEGINNING
    return None if _is_met(program, owner, field, pair) else MeetingDoubt.LOCK_FOR_OTHERS


def _claims(program: Program, owner: Owner) -> bool:
    if not isinstance(owner, ClassFacts):
        return owner.claims_thread_safety
    sharing = program.shared.why(owner)
    return sharing is not None and sharing.claims


def _is_met(program: Program, owner: Owner, field: str, pair: tuple[Use, Use]) -> bool:
    """True if a thread is known to come to the container, or a lock is held for it somewhere."""
    uses = Meetings(program).fields(owner)[field]
    both = [use.function for use in pair]
    reached = any(program.contexts.all(item) or program.contexts.beside(item) for item in both)
    return reached or any(use.locks for use in uses) or Meetings(program).are_known_apart(owner, *both)


_RUNNING = (
    "A thread is in the loop of `{first}` over `{target}`; another thread runs `{second}`, which {does} it; the "
    "loop asks for the next item and raises."
)


def _target(loop: Use) -> str:
    return f"{loop.touch.place}{loop.touch.key or ''}"


def _named(field: str, use: Use) -> str:
    """The function as people know it; in a closure, all belong to one outer function, as to a constructor."""
    is_made = CLOSURE in field or is_constructor(outer_method(use.function))
    return use.function.name if is_made else outer_method(use.function).name
