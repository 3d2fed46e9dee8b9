"""A coroutine waits for a signal under the very lock that the sender of the signal needs.

While it waits for an item or an event, it holds an `asyncio.Lock`. Whoever is to put the item or set the event
wants the same lock first, and waits for it: neither goes on. If the signal is there before the wait begins, all
goes well, which is why it passes every quick test.

A lock that is held while something outside of the program is waited for makes everybody wait who wants it. Where
nothing was asked for before, as in a `readline` under the lock that the writer needs, that may take any time.

Wait before taking the lock, or use an `asyncio.Condition`, whose `wait` releases the lock meanwhile.
"""

from collections.abc import Iterator
from dataclasses import replace

from racehound.analysis.awaiting.futures import MAKERS
from racehound.analysis.awaiting.locked_out import locked_out
from racehound.analysis.locking.held_waits import HeldWait, held_waits
from racehound.analysis.program import Program
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.signals import awaited_signal, wakers
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import SELF, Acquire, Call, Event, Pause, Place
from racehound.source.facts import ClassFacts, FunctionFacts


class TaskLockAcrossWait(Rule):
    meta = RuleMeta(
        code="RH304",
        name="task-lock-across-wait",
        summary="{what}",
        severity=Severity.ERROR,
        race_type="Lock Across Await",
        impact="Deadlock: the task that waits holds the lock that would let the other one wake it.",
        since="0.1.0",
        tags=frozenset({"asyncio", "lock-across-await"}),
    )
    bad = (
        Bad("""
            import asyncio

            class Mailbox:
                def __init__(self):
                    self._lock = asyncio.Lock()
                    self._letters = asyncio.Queue()

                async def post(self, letter):
                    async with self._lock:
                        self._letters.put_nowait(letter)

                async def fetch(self):
                    async with self._lock:
                        return await self._letters.get()  # RH
            """),
    )
    good = (
        Good("""
            import asyncio

            class Mailbox:
                def __init__(self):
                    self._lock = asyncio.Lock()
                    self._letters = asyncio.Queue()

                async def post(self, letter):
                    self._letters.put_nowait(letter)

                async def fetch(self):
                    async with self._lock:
                        return await self._letters.get()
            """),
        Good("""
            import asyncio

            class Mailbox:
                def __init__(self):
                    self._lock = asyncio.Lock()
                    self._letters = asyncio.Queue()

                async def post(self, letter):
                    async with self._lock:
                        self._letters.put_nowait(letter)

                async def fetch(self):
                    letter = await self._letters.get()
                    async with self._lock:
                        return letter
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in module.functions:
                if function.is_async:
                    yield from self._function(program, function)
                    for held in held_waits(program, function):
                        yield self._accuse_held(program, held)
        for owner in program.hierarchy.classes:
            if not MAKERS.isdisjoint(owner.module.callers):
                yield from self._futures(program, owner)

    def _futures(self, program: Program, owner: ClassFacts) -> Iterator[Finding]:
        for kept, sender, at, lock in locked_out(program, owner):
            pause = kept.function.events[kept.wait]
            if isinstance(pause, Pause) and kept.function.owner is owner:
                signal = Place(SELF, (kept.field,))
                yield self._accuse(program, (kept.function, pause), (sender, at), signal, lock)

    def _function(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        for index, event in enumerate(function.events):
            if not isinstance(event, Pause) or not (held := program.locksets.at(function, index)):
                continue
            signal = awaited_signal(function, index, event)
            senders = [] if signal is None else wakers(program, function, signal, event.value.name)
            common = held
            for sender, at in senders:
                common &= program.locksets.at(sender, at)
            if signal is not None and senders and common:
                yield self._accuse(program, (function, event), senders[0], signal.place, common)

    def _accuse(
        self,
        program: Program,
        waiting: tuple[FunctionFacts, Pause],
        waking: tuple[FunctionFacts, int],
        signal: Place,
        lock: int,
    ) -> Finding:
        function, pause = waiting
        sender, at = waking
        call = sender.events[at]
        name = str(program.locksets.named(lock)[0])
        own = any(_takes(program, function, event, lock) for event in function.events)
        taken = f"takes `{name}`" if own else f"is called under `{name}`"
        first = Step(
            function=function,
            span=pause.span,
            action="waits for",
            target=str(signal),
            context=program.tasks.describe(function),
            locks=(name,),
        )
        second = Step(
            function=sender,
            span=call.span if isinstance(call, Call) else sender.span,
            action="signals",
            target=str(signal),
            context=program.tasks.describe(sender),
            locks=(name,),
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{function.name}` {taken} and waits for `{signal}`; `{sender.name}`, which is to end the "
                f"wait, waits for `{name}`: both wait for each other."
            ),
            confidence=CERTAIN,
            fields=signal.attributes[-1:],
            lock=name,
        )
        what = f"`{function.name}` waits for `{signal}` under `{name}`, which the sender in `{sender.name}` needs"
        return report(self, incident, what=what)

    def _accuse_held(self, program: Program, held: HeldWait) -> Finding:
        function, rival = held.section.function, held.rival.function
        name = str(program.locksets.named(held.section.lock)[0])
        call = str(held.call.callee or held.call.method)
        waiting = Step(
            function=function,
            span=held.pause.span,
            action="waits with the lock in",
            target=call,
            context=program.tasks.describe(function),
            locks=(name,),
        )
        rival_waiting = Step(
            function=rival,
            span=held.rival.span,
            action="waits for",
            target=name,
            context=program.tasks.describe(rival),
        )
        taking = replace(waiting, span=held.section.span, action="takes", target=name, locks=())
        incident = Incident(
            first=waiting,
            second=rival_waiting,
            trigger=(
                f"`{function.name}` holds `{name}` while it waits in `{call}`; another task that comes to "
                f"`{rival.name}` waits for `{name}` just as long."
            ),
            confidence=_sure(held),
            evidence=(taking, waiting, rival_waiting) if rival is not function else (),
            lock=name,
            impact="Stall: whoever wants the lock waits until something outside of the program is done.",
            remedy="Wait before taking the lock or after releasing it, or limit the wait with a timeout.",
        )
        return report(self, incident, what=f"`{function.name}` waits in `{call}` while it holds `{name}`")


def _sure(held: HeldWait) -> Sureness:
    if held.is_listening:
        return TaskDoubt.SILENT_PEER.likely
    return TaskDoubt.ONE_AT_A_TIME.possible if held.is_needed else TaskDoubt.PASSER_BY.likely


def _takes(program: Program, function: FunctionFacts, event: Event, lock: int) -> bool:
    return isinstance(event, Acquire) and bool(program.locksets.taken(function, event.value) & lock)
