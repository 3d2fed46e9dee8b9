"""A lock between threads is held while a coroutine waits.

At the await the event loop runs other tasks, in the same thread. One that wants the lock does not give way: it
blocks the thread, and with it the loop, and the task that holds the lock can never go on to release it. As long
as nobody else comes for the lock during the wait, all goes well. A reentrant lock does not help: the other task
runs in the same thread and is let in.

So does a lock between processes that is a file: another task that wants it waits in the kernel, and the loop with
it.

Use an `asyncio.Lock` with `async with`, or release the lock before the await; for files, take the lock in a
thread.
"""

import itertools
import re
from collections.abc import Iterator
from itertools import islice

from racehound.analysis.awaiting.coroutines import is_inside
from racehound.analysis.locking.file_locks import pause_under_file_lock
from racehound.analysis.locking.free_at_switches import is_passed_at_once
from racehound.analysis.locking.lock_attempts import asks_only
from racehound.analysis.locking.locks import THREAD_LOCKS
from racehound.analysis.locking.takings import CONDITIONS, REENTRANT
from racehound.analysis.program import Program
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import CHANGES, SELF, Acquire, Call, Decision, Pause, Shape, Touch, Value
from racehound.source.facts import FunctionFacts

_LOCK = re.compile(r"(^|[._])(r?lock|mutex|semaphore)$", re.IGNORECASE)


class ThreadLockAcrossAwait(Rule):
    meta = RuleMeta(
        code="RH303",
        name="thread-lock-across-await",
        summary="`{function}` awaits while it holds `{lock}`, a lock for {what}",
        severity=Severity.ERROR,
        race_type="Lock Across Await",
        impact="Deadlock: a second task that wants the lock blocks the event loop, and nobody can release it.",
        since="0.1.0",
        tags=frozenset({"asyncio", "lock-across-await"}),
    )
    bad = (
        Bad(
            """
            import threading

            class Store:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._rows = {}

                async def load(self, key):
                    with self._lock:
                        self._rows[key] = await fetch(key)  # RH
            """,
            fixed="""
            import asyncio

            class Store:
                def __init__(self):
                    self._lock = asyncio.Lock()
                    self._rows = {}

                async def load(self, key):
                    async with self._lock:
                        self._rows[key] = await fetch(key)
            """,
        ),
        Bad("""
            import threading
            from contextlib import contextmanager

            LOCK = threading.Lock()

            @contextmanager
            def exclusive():
                with LOCK:
                    yield

            async def rebuild(index):
                with exclusive():
                    await index.rebuild()  # RH
            """),
    )
    good = (
        Good("""
            import asyncio
            import threading

            class Store:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._turn = asyncio.Lock()
                    self._rows = {}

                async def load(self, key):
                    row = await fetch(key)
                    with self._lock:
                        self._rows[key] = row

                async def reload(self, key):
                    async with self._turn:
                        self._rows[key] = await fetch(key)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in module.functions:
                if function.is_async and Acquire in function.holds:
                    yield from self._function(program, function)
                    yield from self._files(program, function)

    def _function(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        held = program.locksets.within(function)
        accused = 0
        for index, event in enumerate(function.events):
            if not isinstance(event, Pause) or event.yields or not held[index] & ~accused:
                continue
            if is_passed_at_once(program, function, index):
                continue
            for at, acquire in enumerate(function.events[:index]):
                if not isinstance(acquire, Acquire) or _is_awaited(function, at, acquire):
                    continue
                lock = program.locksets.taken(function, acquire.value) & held[index] & ~accused
                waited = bool(lock) and _is_waited_for(program, function, lock)
                confidence = _confidence(program, function, acquire) if waited else None
                if confidence is not None:
                    accused |= lock
                    yield self._accuse(program, function, event, lock, confidence)

    def _files(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        for at, event in enumerate(function.events):
            if isinstance(event, Acquire) and not _is_awaited(function, at, event):
                pause = pause_under_file_lock(program, function, at, event)
                if pause is not None:
                    yield self._accuse_file(program, function, event, pause)

    def _accuse_file(self, program: Program, function: FunctionFacts, acquire: Acquire, pause: Pause) -> Finding:
        name, context = acquire.value.name or str(acquire.value.place), program.tasks.describe(function)
        waiting, taking = (
            Step(function=function, span=span, action=action, target=name, context=context)
            for span, action in ((pause.span, "waits with"), (acquire.span, "takes"))
        )
        incident = Incident(
            first=waiting,
            second=taking,
            trigger=(
                f"A task waits in `{function.name}` and holds the lock; the loop runs another task that takes the "
                f"lock of the same file by `{name}`: the thread stops there, and the first task is never resumed."
            ),
            confidence=TaskDoubt.FILE_LOCK.likely,
            evidence=(taking, waiting),
        )
        return report(self, incident, function=function.name, lock=name, what="processes")

    def _accuse(
        self, program: Program, function: FunctionFacts, pause: Pause, lock: int, confidence: Sureness
    ) -> Finding:
        name = str(program.locksets.named(lock)[0])
        first = Step(
            function=function,
            span=pause.span,
            action="waits with",
            target=name,
            context=program.tasks.describe(function),
            locks=(name,),
        )
        second = _other(program, function, lock, name) or first
        reentrant = _is_reentrant(program, function, lock)
        doubt = TaskDoubt.REENTRANT if reentrant else None
        if doubt is None and _runs_alone(program, function, lock):
            doubt = TaskDoubt.ONE_TASK
        stalls = doubt is TaskDoubt.ONE_TASK and _holds_up_threads(program, function, lock)
        met = _is_met(program, function, lock)
        if confidence.is_certain and not met:
            confidence = TaskDoubt.NO_TWO_TASKS.likely
        unseen = not program.tasks.of(function) and _looks_before(program, function, pause, lock)
        if doubt is TaskDoubt.REENTRANT and (met or unseen) and _changes_after(program, function, pause, lock):
            confidence, doubt = TaskDoubt.LET_IN.likely, None
        happens = (
            "it is let in, because both run in one thread, and finds what the first has half done."
            if reentrant
            else "the thread stops there, and the first task is never resumed."
        )
        meeting = "the loop runs another task that takes the lock in"
        if stalls:
            meeting, happens = "another thread wants it in", "that thread stops until the await is over."
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"A task waits in `{function.name}` and holds `{name}`; {meeting} "
                f"`{second.function.name}`: {happens}"
            ),
            confidence=confidence if doubt is None else doubt.likely if stalls else doubt.possible,
            lock=name,
            impact=_STALL if stalls else _LET_IN if reentrant else "",
        )
        return report(self, incident, function=function.name, lock=name, what="threads")


_STALL = "Stall: threads that want the lock stand still until something outside of the program has answered."
_LET_IN = "Half-done state: the lock keeps threads apart, and lets two tasks of one thread into the same section."


def _is_reentrant(program: Program, function: FunctionFacts, lock: int) -> bool:
    """True for a lock that a thread may take twice, and so may two tasks of one thread."""
    taken = (event.value for event in function.events if isinstance(event, Acquire))
    return any(
        program.locksets.taken(function, value) & lock
        and program.kinds.value(function, value) & REENTRANT - CONDITIONS
        for value in taken
    )


def _changes_after(program: Program, function: FunctionFacts, pause: Pause, lock: int) -> bool:
    """True if state is changed under the lock after the wait, and so after the other task was let in."""
    begin = next(index for index, event in enumerate(function.events) if event is pause)
    if _is_changed_by_awaited(program, function, begin):
        return True
    return any(
        isinstance(event, Touch)
        and event.action in CHANGES
        and event.place.root not in function.bound
        and program.locksets.at(function, index) & lock
        for index, event in enumerate(function.events[begin:], begin)
    )


def _looks_before(program: Program, function: FunctionFacts, pause: Pause, lock: int) -> bool:
    """True if the section decides by state of the object whether it waits at all."""
    for index, event in enumerate(function.events):
        if event is pause:
            return False
        if isinstance(event, Decision) and program.locksets.at(function, index) & lock:
            looked = (function.events[at] for at in event.sources)
            if any(isinstance(item, Touch) and item.place.root == SELF for item in looked):
                return True
    return False


def _is_changed_by_awaited(program: Program, function: FunctionFacts, at: int) -> bool:
    """True for `await self._refresh()` of a method that waits itself and then stores what came."""
    call = function.events[at - 1] if at else None
    target = program.calls.target(function, call) if isinstance(call, Call) else None
    if target is None or target.owner is None or target.owner is not function.owner:
        return False
    steps = itertools.dropwhile(lambda event: not isinstance(event, Pause), target.events)
    return any(
        isinstance(event, Touch) and event.action in CHANGES and event.place.root == SELF for event in steps
    )


def _runs_alone(program: Program, function: FunctionFacts, lock: int) -> bool:
    """True if one task is known to run the function, and no other to take the lock: threads only wait longer."""
    own = program.tasks.of(function)
    if len(own) != 1 or own[0].many:
        return False
    takers = {taker for taker, _ in _takers(program, function, lock)}
    return all(program.tasks.of(taker) == own or not _is_on_loop(program, taker) for taker in takers)


def _holds_up_threads(program: Program, function: FunctionFacts, lock: int) -> bool:
    """True if a thread is seen to come for the lock, which waits as long as the task does."""
    return any(program.contexts.on_shared_self(taker) for taker, _ in _takers(program, function, lock))


def _is_met(program: Program, function: FunctionFacts, lock: int) -> bool:
    """True if two tasks are known, one that waits with the lock and one that takes it."""
    takers = {function, *(taker for taker, _ in _takers(program, function, lock))}
    return any(program.tasks.may_overlap(function, taker) for taker in takers)


def _is_waited_for(program: Program, function: FunctionFacts, lock: int) -> bool:
    """False if all who come for the lock only ask whether it is free: nobody stands still for it."""
    takers = [*_takers(program, function, lock), *_takings(program, function, lock)]
    return not all(asks_only(taker, taking) for taker, taking in takers)


def _is_on_loop(program: Program, function: FunctionFacts) -> bool:
    return function.is_async or bool(program.tasks.of(function))


def _is_awaited(function: FunctionFacts, index: int, acquire: Acquire) -> bool:
    """True for `async with` and `await lock.acquire()`: a lock between tasks."""
    following = function.events[index + 1] if index + 1 < len(function.events) else None
    return acquire.is_async or (isinstance(following, Pause) and is_inside(acquire.span, following.span))


def _confidence(program: Program, function: FunctionFacts, acquire: Acquire) -> Sureness | None:
    """Certain for a lock seen being made, likely for one that only its name tells."""
    value = acquire.value
    kinds = program.kinds.value(function, value)
    if value.shape is Shape.PLACE:
        if kinds & THREAD_LOCKS:
            return CERTAIN
        return TaskDoubt.LOCK_BY_NAME.likely if _is_named_lock(program, function, value) else None
    helper = program.kinds.callee(function, value.place) if value.place is not None else None
    if not isinstance(helper, FunctionFacts) or helper.is_async:
        return None
    entered = [event.value for event in helper.events if isinstance(event, Acquire) and not event.is_async]
    if any(program.kinds.value(helper, inner) & THREAD_LOCKS for inner in entered):
        return CERTAIN
    named = any(_is_named_lock(program, helper, inner) for inner in entered)
    return TaskDoubt.LOCK_BY_NAME.likely if named else None


def _is_named_lock(program: Program, function: FunctionFacts, value: Value) -> bool:
    """A lock that only its name tells, entered by a plain `with`: then it is none between tasks."""
    named = value.shape is Shape.PLACE and value.place is not None and _LOCK.search(str(value.place))
    if not named or program.kinds.value(function, value) - {"None"}:
        return False
    owner = function.owner
    others = program.hierarchy.effective(owner) if owner is not None else (function,)
    return not any(_awaits(other, value) for other in others)


def _awaits(function: FunctionFacts, lock: Value) -> bool:
    """True if `await` stands before the taking of the lock somewhere."""
    return any(
        isinstance(event, Acquire)
        and event.value == lock
        and (_is_awaited(function, index, event) or _is_given_to_await(function, index, event))
        for index, event in enumerate(function.events)
    )


def _is_given_to_await(function: FunctionFacts, index: int, acquire: Acquire) -> bool:
    """True for `await asyncio.wait_for(lock.acquire(), 5)`: what is handed on can only be a coroutine."""
    following = (event for event in function.events[index + 1 :] if isinstance(event, Pause))
    return any(is_inside(acquire.span, pause.span) for pause in islice(following, 1))


def _other(program: Program, function: FunctionFacts, lock: int, name: str) -> Step | None:
    """Another place that takes the lock."""
    for other, event in _takers(program, function, lock):
        return Step(
            function=other,
            span=event.span,
            action="takes",
            target=name,
            context=program.tasks.describe(other),
        )
    return None


def _takers(program: Program, function: FunctionFacts, lock: int) -> Iterator[tuple[FunctionFacts, Acquire]]:
    """Other places that take the lock."""
    for other in function.module.functions:
        if other is not function and Acquire in other.holds:
            yield from _takings(program, other, lock)


def _takings(program: Program, function: FunctionFacts, lock: int) -> Iterator[tuple[FunctionFacts, Acquire]]:
    for event in function.events:
        if isinstance(event, Acquire) and program.locksets.taken(function, event.value) & lock:
            yield function, event
