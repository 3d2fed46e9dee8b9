"""A coroutine waits in a queue for its turn, and does not pass the turn on when it is cancelled.

Whoever gives the turn away takes the first one out of the queue and wakes it. The coroutine runs a moment later;
if it is cancelled before that, the await raises, and the turn is gone: no longer with the one who gave it, and
never taken up. All others wait for ever. It takes a time limit that is over just when the turn comes.

Where the await is left by an exception and the turn was given already, give it to the next one: `except
BaseException:`, ask the future or event whether it is done, and release.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.handed_turns import MAKERS, HandedTurn, handed_turns
from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule, once
from racehound.source.events import Pause


class TurnLostOnCancel(Rule):
    meta = RuleMeta(
        code="RH316",
        name="turn-lost-on-cancel",
        summary="`{function}` loses the turn that `{waker}` has given it if it is cancelled just then",
        severity=Severity.ERROR,
        race_type="Lost Wake-up",
        impact="Deadlock: nobody has the turn, and all who wait for it wait for ever.",
        since="0.1.0",
        tags=frozenset({"asyncio", "locks"}),
    )
    bad = (
        Bad("""
            import asyncio
            from collections import deque

            class Gate:
                def __init__(self):
                    self._taken = False
                    self._waiting = deque()

                async def enter(self):
                    if not self._taken:
                        self._taken = True
                        return
                    turn = asyncio.get_running_loop().create_future()
                    self._waiting.append(turn)
                    try:
                        await turn  # RH
                    except asyncio.CancelledError:
                        if turn in self._waiting:
                            self._waiting.remove(turn)
                        raise

                def leave(self):
                    while self._waiting:
                        turn = self._waiting.popleft()
                        if not turn.done():
                            turn.set_result(None)
                            return
                    self._taken = False
            """),
    )
    good = (
        Good("""
            import asyncio
            from collections import deque

            class Gate:
                def __init__(self):
                    self._taken = False
                    self._waiting = deque()

                async def enter(self):
                    if not self._taken:
                        self._taken = True
                        return
                    turn = asyncio.get_running_loop().create_future()
                    self._waiting.append(turn)
                    try:
                        await turn
                    except asyncio.CancelledError:
                        if turn in self._waiting:
                            self._waiting.remove(turn)
                        elif not turn.cancelled():
                            self.leave()
                        raise

                def leave(self):
                    while self._waiting:
                        turn = self._waiting.popleft()
                        if not turn.done():
                            turn.set_result(None)
                            return
                    self._taken = False
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if not MAKERS.isdisjoint(owner.module.callers):
                for found in handed_turns(owner, program.hierarchy, program.kinds):
                    yield self._accuse(program, found)

    def _accuse(self, program: Program, found: HandedTurn) -> Finding:
        function, waker = found.function, found.waker
        event = function.events[found.wait]
        first = Step(
            function=function,
            span=event.span if isinstance(event, Pause) else function.span,
            action="waits in",
            target=f"self.{found.field}",
            context=program.tasks.describe(function),
        )
        second = Step(
            function=waker,
            span=found.given.span,
            action="hands over to one of",
            target=f"self.{found.field}",
            context=program.tasks.describe(waker),
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{waker.name}` wakes a task that waits in `{function.name}`; before it runs, the task is "
                "cancelled, and nobody is woken in its place."
            ),
            confidence=TaskDoubt.WOKEN_AND_CANCELLED.likely,
            fields=(found.field,),
        )
        return report(self, incident, function=function.name, waker=waker.name)
