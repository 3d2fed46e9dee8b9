"""A request is sent, and the event that its answer sets is cleared only after that.

The answer may come first: it sets the event, which is then cleared, and whoever waits for it waits for an answer
that has been there already. Over a network it takes a quick answer or a slow sender.

A worker that waits for an event, does its work and clears the event at the end of the round does the same: what
was set while it worked is cleared away, and what came then waits until the event is set again.

Clear the event first, then send and wait; clear it right after the wait, then work.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.cleared_after_work import ClearedAfterWork, cleared_after_work
from racehound.analysis.awaiting.cleared_events import ClearedLate, cleared_late
from racehound.analysis.program import Program
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation
from racehound.source.events import Action
from racehound.source.facts import ClassFacts, FunctionFacts


class EventClearedLate(Rule):
    meta = RuleMeta(
        code="RH122",
        name="event-cleared-late",
        summary="`{function}` clears `{target}` {late}",
        severity=Severity.ERROR,
        race_type="Lost Wake-up",
        impact="Hang: the answer is cleared away, and whoever waits for it waits for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import asyncio

            class Link:
                def __init__(self, stream):
                    self._stream = stream
                    self._answered = asyncio.Event()

                async def ask(self, question):
                    await self._stream.send(question)
                    self._answered.clear()  # RH
                    await self._answered.wait()

                def answer_received(self):
                    self._answered.set()
            """),
        Bad("""
            import threading

            class Exporter:
                def __init__(self):
                    self._awake = threading.Event()
                    self._queue = []

                def add(self, item):
                    self._queue.append(item)
                    self._awake.set()

                def run(self):
                    while True:
                        self._awake.wait()
                        self.export()
                        self._awake.clear()  # RH
            """),
    )
    good = (
        Good("""
            import asyncio

            class Link:
                def __init__(self, stream):
                    self._stream = stream
                    self._answered = asyncio.Event()

                async def ask(self, question):
                    self._answered.clear()
                    await self._stream.send(question)
                    await self._answered.wait()

                def answer_received(self):
                    self._answered.set()
            """),
        Good("""
            import threading

            class Exporter:
                def __init__(self):
                    self._awake = threading.Event()
                    self._queue = []

                def add(self, item):
                    self._queue.append(item)
                    self._awake.set()

                def run(self):
                    while True:
                        self._awake.wait()
                        self._awake.clear()
                        self.export()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if "clear" in owner.module.callers and "wait" in owner.module.callers:
                for function in owner.methods.values():
                    for found in cleared_late(program, owner, function):
                        yield self._accuse(program, owner, function, found)
                    for worked in cleared_after_work(program, owner, function):
                        yield self._accuse_worker(program, owner, function, worked)

    def _accuse(self, program: Program, owner: ClassFacts, function: FunctionFacts, found: ClearedLate) -> Finding:
        other, target = found.setter[0].name, str(found.event)
        steps = ((found.asked, Action.READ), (found.clear, Action.MUTATE), (found.wait, Action.WAIT))
        asked, clear, wait = (operation(program, function, *step, found.event) for step in steps)
        accusation = Accusation(
            owner=owner,
            field=found.event.attributes[0],
            first=clear,
            second=operation(program, *found.setter, Action.MUTATE, found.event),
            trigger=(
                f"`{function.name}` has sent its request; the answer comes and `{other}` sets `{target}`; then "
                f"`{function.name}` clears it and waits for it."
            ),
            confidence=MeetingDoubt.FAST_ANSWER.likely,
            grade=Grade.GIL,
            evidence=(asked, clear, wait),
        )
        late = f"after it has sent what `{other}` may have answered already"
        return self.accuse(program, accusation, function=function.name, target=target, late=late)

    def _accuse_worker(
        self, program: Program, owner: ClassFacts, function: FunctionFacts, found: ClearedAfterWork
    ) -> Finding:
        other, target = found.setter[0].name, str(found.event)
        steps = ((found.wait, Action.WAIT), (found.work, Action.READ), (found.clear, Action.MUTATE))
        wait, work, clear = (operation(program, function, *step, found.event) for step in steps)
        accusation = Accusation(
            owner=owner,
            field=found.event.attributes[0],
            first=clear,
            second=operation(program, *found.setter, Action.MUTATE, found.event),
            trigger=(
                f"`{function.name}` is at work; `{other}` sets `{target}` for what has come meanwhile; then "
                f"`{function.name}` clears it and waits for it."
            ),
            confidence=MeetingDoubt.SET_AT_WORK.likely,
            grade=Grade.GIL,
            evidence=(wait, work, clear),
        )
        late = f"after its work, and with it what `{other}` has set meanwhile"
        return self.accuse(program, accusation, function=function.name, target=target, late=late)
