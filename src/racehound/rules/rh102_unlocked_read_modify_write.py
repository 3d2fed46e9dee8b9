"""A value is read, changed and written back, and nothing keeps other threads out in between.

Two threads that read the same old value both write their own new one: the second write overwrites the first, and
one of the two changes is lost. It happens only when the threads meet between the read and the write. On builds
with the GIL that takes a call, a loop or an await in between; without the GIL, or with a debugger or tracer
attached, the bytecodes of `n += 1` are far enough apart.

A finalizer or a signal handler comes in between without any other thread: it interrupts the one that is about it.

Hold one lock over the read and the write, and hold the same lock wherever else the value is changed.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import chain, islice

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.compound import is_interruptible, is_limit, own_read
from racehound.analysis.state.emptied import emptied_late, empties
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.figures import is_only_told
from racehound.analysis.state.gaps import gaps_of
from racehound.analysis.state.growth import grows_in_place, replaces
from racehound.analysis.state.keys import are_other_entries
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.analysis.state.module_meeting import are_claimed
from racehound.analysis.state.steps import Step
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, seen_from
from racehound.rules.state.guard_order import is_beginning
from racehound.rules.state.interrupted_updates import interrupted_updates
from racehound.rules.state.shared_memory import shared_updates
from racehound.rules.state.update_doubts import UpdateDoubts
from racehound.source.events import CHANGES, Action, Exit, Shape, Touch
from racehound.source.facts import ClassFacts, FunctionFacts, ModuleFacts


class UnlockedReadModifyWrite(Rule):
    meta = RuleMeta(
        code="RH102",
        name="unlocked-read-modify-write",
        summary="`{target}` is read and written back without a lock in `{function}`",
        severity=Severity.ERROR,
        race_type="Read-Modify-Write",
        impact="Lost update: of two changes made at the same time, only one remains.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad(
            """
            class Meter:
                '''Counts calls; thread-safe.'''

                def __init__(self):
                    self.calls = 0

                def record(self):
                    self.calls += 1  # RH
            """,
            fixed="""
            import threading


            class Meter:
                '''Counts calls; thread-safe.'''

                def __init__(self):
                    self.calls = 0
                    self._lock = threading.Lock()

                def record(self):
                    with self._lock:
                        self.calls += 1
            """,
        ),
        Bad("""
            from concurrent.futures import ThreadPoolExecutor

            class WordCount:
                def __init__(self):
                    self._seen = {}

                def count(self, texts):
                    with ThreadPoolExecutor() as pool:
                        pool.map(self._add, texts)

                def _add(self, word):
                    seen = self._seen.get(word, 0)
                    self._seen[word] = seen + 1  # RH
            """),
        Bad("""
            import threading

            REQUESTS = 0

            def handle():
                global REQUESTS
                REQUESTS += 1  # RH

            def serve():
                for _ in range(4):
                    threading.Thread(target=handle).start()
            """),
    )
    good = (
        Good("""
            import threading

            class Meter:
                '''Counts calls; thread-safe.'''

                def __init__(self):
                    self._lock = threading.Lock()
                    self.calls = 0

                def record(self):
                    with self._lock:
                        self.calls += 1
            """),
        Good("""
            class Meter:
                '''Counts calls of one thread.'''

                def __init__(self):
                    self.calls = 0

                def record(self):
                    self.calls += 1
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        meetings = Meetings(program)
        for owner in program.hierarchy.classes:
            if program.shared.why(owner) is not None:
                yield from self._class(program, owner, meetings)
        for module in program.modules:
            yield from self._module(program, module, meetings)
        for accusation in (*interrupted_updates(program), *shared_updates(program)):
            write = accusation.first
            yield self.accuse(program, accusation, target=_target(write.touch), function=write.function.name)

    def _class(self, program: Program, owner: ClassFacts, meetings: Meetings) -> Iterator[Finding]:
        for field, uses in meetings.own_fields(owner):
            doubts = UpdateDoubts(program, owner, uses)
            own = [use for use in uses if use.changes and not meetings.are_inherited(owner, use)]
            for read, write in (*_unlocked(uses), *_through_helpers(program, owner, field)):
                sureness = partial(doubts.sureness, read, write)
                rivals: Iterable[Use] = _rivals(partial(meetings.may_meet, owner, write.function), write, uses)
                if grows_in_place(program, owner, field, write):
                    rivals = filter(replaces, rivals)
                if meetings.are_inherited(owner, write):
                    rivals = _of_interest(rivals, write, own, sureness)
                surest = _surest(rivals, sureness)
                if surest is not None and not meetings.are_inherited(owner, write, surest[0]):
                    rival, sure = surest
                    finding = self._accuse(program, owner, field, (read, write, rival), uses, sure)
                    told = doubts.is_told(read, write)
                    yield replace(finding, severity=Severity.WARNING) if told else finding
            yield from self._emptied(program, owner, field, uses)

    def _emptied(
        self, program: Program, owner: ClassFacts | ModuleFacts, field: str, uses: list[Use]
    ) -> Iterator[Finding]:
        """`send(self.rows)`, `self.rows.clear()`: what others added meanwhile is gone, and was not sent."""
        meetings = Meetings(program)
        for function in dict.fromkeys(use.function for use in uses if empties(use) and not use.function.is_async):
            for found in emptied_late(function, program.awaits.paths(function), uses):
                held = found.given.locks & found.emptied.locks
                ends = TEARDOWN.match(function.name) is not None
                for added in () if ends else found.added:
                    if added.locks & held:
                        continue  # whoever adds waits for the lock
                    sure = meetings.certainty(owner, function, added.function, uses)
                    known = sure.is_certain or (isinstance(owner, ClassFacts) and sure.is_likely)
                    if known and meetings.may_meet(owner, function, added.function):
                        case = found.given, found.emptied, added
                        finding = self._accuse(program, owner, field, case, uses, sure)
                        yield replace(finding, message=_beside(finding, case)) if held else finding
                        break

    def _module(self, program: Program, module: ModuleFacts, meetings: Meetings) -> Iterator[Finding]:
        for name, uses in program.fields.of_module(module).items():
            told = cache(partial(is_only_told, uses))
            for read, write in (*_unlocked(uses), *_through_helpers(program, module, name)):
                contexts = program.contexts.all(write.function)
                guarded = any(use.locks and not use.function.is_async for use in uses if use.changes)
                known = _known_rival(meetings, module, write, uses)
                many = any(context.many for context in contexts) and not is_limit(write.touch)
                rival = write if many else known
                if rival is not None:
                    finding = self._accuse(program, module, name, (read, write, rival), uses, CERTAIN)
                    yield replace(finding, severity=Severity.WARNING) if told() else finding
                elif are_claimed(module, write.function):
                    yield self._accuse(
                        program, module, name, (read, write, write), uses, MeetingDoubt.BY_MODULE.likely
                    )
                elif guarded:
                    held = (use for use in uses if use.locks and use.changes and not use.function.is_async)
                    rivals = (use for use in held if not is_beginning(use.function))
                    rival = next(
                        (use for use in rivals if not contexts or use.function is not write.function), None
                    )
                    sure = CERTAIN if contexts else MeetingDoubt.BY_LOCK.likely
                    if rival is not None:
                        yield self._accuse(program, module, name, (read, write, rival), uses, sure)
            yield from self._emptied(program, module, name, uses)

    def _accuse(
        self,
        program: Program,
        owner: ClassFacts | ModuleFacts,
        field: str,
        triple: tuple[Use, Use, Use],
        uses: list[Use],
        confidence: Sureness,
    ) -> Finding:
        read, write, rival = triple
        target, function = _target(write.touch), write.function.name
        interruptible = is_interruptible(write.function, read.index, write.index)
        accusation = Accusation(
            owner=owner,
            field=field,
            first=write,
            second=rival,
            trigger=_trigger(target, write, rival),
            confidence=confidence,
            grade=Grade.GIL if interruptible else Grade.FREE_THREADED,
            others=tuple(dict.fromkeys(use.function for use in uses)),
            lock=Meetings(program).lock_of(uses),
            evidence=(read, write),
        )
        return self.accuse(program, accusation, target=target, function=function)


def _beside(finding: Finding, case: tuple[Use, Use, Use]) -> str:
    """The one that empties holds a lock, and the one that adds does not."""
    function, other = (outer_method(use.function).name for use in case[1:])
    target = finding.message.split("`")[1]
    return f"`{function}` gives `{target}` away and empties it under a lock that `{other}` does not take"


def _of_interest(
    rivals: Iterable[Use], write: Use, own: list[Use], sureness: Callable[[Use], Sureness]
) -> Iterable[Use]:
    """None for an inherited update where no change of the class itself can be a surer rival than the update.

    What it meets in the base class is accused there, so that the classes of a long line leave out the others.
    """
    if not own:
        return ()
    rest = iter(rivals)
    first = list(islice(rest, 1))
    if first == [write]:
        known = sureness(write).rank
        if all(sureness(use).rank >= known for use in own):
            return ()
    return chain(first, rest)


def _surest(rivals: Iterable[Use], sureness: Callable[[Use], Sureness]) -> tuple[Use, Sureness] | None:
    """The first of those that are surest: no other is asked once one is certain."""
    best: tuple[Use, Sureness] | None = None
    for use in rivals:
        sure = sureness(use)
        if best is None or sure.rank < best[1].rank:
            best = use, sure
        if best[1].is_certain:
            break
    return best


def _unlocked(uses: list[Use]) -> Iterator[tuple[Use, Use]]:
    """The first update of each function that no lock spans, as its read and its write."""
    by_function: dict[FunctionFacts, dict[int, Use]] = {}
    for use in uses:
        by_function.setdefault(use.function, {})[use.index] = use
    for function, known in by_function.items():
        for index in sorted(known):
            fed = own_read(function, index)
            read, write = known.get(-1 if fed is None else fed), known[index]
            if read is not None and write.changes and not read.locks & write.locks:
                yield read, write
                break


def _through_helpers(program: Program, owner: Owner, field: str) -> Iterator[tuple[Use, Use]]:
    """Updates whose read is in a helper: `self._next = self._following()`."""
    found = gaps_of(program, owner).steps
    writers = {use.function for use in found.fields[field] if use.changes and use.touch.sources}
    for function, steps in found.of(field, lambda item, _: item in writers) if writers else ():
        reads = [step for step in steps if step.use.function is not function and step.answers]
        for write in (step.use for step in steps if reads and step.use.function is function):
            if write.changes and write.touch.sources:
                yield from _read_by_helper(function, reads, write)


def _read_by_helper(function: FunctionFacts, reads: list[Step], write: Use) -> Iterator[tuple[Use, Use]]:
    for read in reads:
        is_part = write.touch.action is Action.WRITE_ITEM and read.key != write.touch.key
        is_look = read.use.touch.action not in CHANGES and read.at in write.touch.sources
        if is_look and not is_part and not _is_put_back(read.use) and not read.locks & write.locks:
            yield seen_from(function, read), write
            return


def _is_put_back(read: Use) -> bool:
    """True for `self.client = self._connect()`, where the helper answers with what is there, as it is."""
    answers = (event.value for event in read.function.events if isinstance(event, Exit))
    return any(value.shape is Shape.PLACE and value.place == read.touch.place for value in answers)


_ASKED = 200
"""Functions that may be rivals of one update: in a class with thousands of methods the others are like these."""


def _rivals(may_meet: Callable[[FunctionFacts], bool], write: Use, uses: list[Use]) -> Iterator[Use]:
    """What the update can meet: itself in another thread, or the first change of another function."""
    if not is_limit(write.touch) and may_meet(write.function):
        yield write
    seen = {write.function}
    for use in uses:
        if use.changes and use.function not in seen and not are_other_entries(use.touch.key, write.touch.key):
            if len(seen) > _ASKED:
                return
            seen.add(use.function)
            if may_meet(use.function):
                yield use


def _known_rival(meetings: Meetings, module: ModuleFacts, write: Use, uses: list[Use]) -> Use | None:
    """A change that another thread is seen to make, while this one is about its update."""
    for rival in _rivals(partial(meetings.may_meet, module, write.function), write, uses):
        if meetings.certainty(module, write.function, rival.function, uses).is_certain:
            return rival
    return None


def _target(touch: Touch) -> str:
    return f"{touch.place}{touch.key or ''}"


def _trigger(target: str, write: Use, rival: Use) -> str:
    name, other = write.function.name, rival.function.name
    if name == other:
        return (
            f"Two threads run `{name}` at the same time: both read the same value of `{target}` before either "
            "writes, and the second write overwrites the first."
        )
    return (
        f"A thread in `{name}` reads `{target}`; before it writes the new value back, another thread changes it "
        f"in `{other}`, and that change is overwritten."
    )
