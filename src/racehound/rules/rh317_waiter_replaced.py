"""A coroutine puts what it waits for into a field that has room for one, whoever else waits there.

A second task that comes meanwhile puts its own future in place of the first one. The answer, or the signal to go
on, completes the second; nobody has the first any more, and its task waits for ever. It takes two tasks that wait
at once: two writers, a command beside the keep-alive.

Let all wait for the one that is there already, keep a queue or a table of waiters, or hold an `asyncio.Lock` from
the store to the end of the await.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.awaits import LIFECYCLE
from racehound.analysis.awaiting.visitors import may_meet_there
from racehound.analysis.awaiting.waiting_slots import MAKERS, WaitingSlot, waiting_slots
from racehound.analysis.program import Program
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule, once
from racehound.source.events import Pause, Touch


class WaiterReplaced(Rule):
    meta = RuleMeta(
        code="RH317",
        name="waiter-replaced",
        summary="`{function}` puts its future into `{target}` over that of another task that still waits",
        severity=Severity.ERROR,
        race_type="Lost Wake-up",
        impact="Hang: the task that waited first is never woken, or is given the answer to another question.",
        since="0.1.0",
        tags=frozenset({"asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import asyncio

            class Flow:
                def __init__(self):
                    self._paused = False
                    self._waiter = None

                def pause_writing(self):
                    self._paused = True

                def resume_writing(self):
                    self._paused = False
                    if self._waiter is not None and not self._waiter.done():
                        self._waiter.set_result(None)

                async def drain(self):
                    if self._paused:
                        self._waiter = asyncio.get_running_loop().create_future()
                        await self._waiter  # RH
            """),
    )
    good = (
        Good("""
            import asyncio

            class Flow:
                def __init__(self):
                    self._paused = False
                    self._waiter = None

                def pause_writing(self):
                    self._paused = True

                def resume_writing(self):
                    self._paused = False
                    if self._waiter is not None and not self._waiter.done():
                        self._waiter.set_result(None)

                async def drain(self):
                    if self._paused:
                        if self._waiter is None or self._waiter.done():
                            self._waiter = asyncio.get_running_loop().create_future()
                        await asyncio.shield(self._waiter)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if not MAKERS.isdisjoint(owner.module.callers):
                for found in waiting_slots(owner, program.hierarchy, program.kinds):
                    if not _is_alone(program, found):
                        yield self._accuse(program, found)

    def _accuse(self, program: Program, found: WaitingSlot) -> Finding:
        function, target = found.function, f"self.{found.field}"
        steps = [
            Step(
                function=function,
                span=event.span if isinstance(event, Pause | Touch) else function.span,
                action=action,
                target=target,
                context=program.tasks.describe(function),
            )
            for event, action in (
                (function.events[found.wait], "waits for"),
                (function.events[found.stored], "replaces"),
            )
        ]
        incident = Incident(
            first=steps[0],
            second=steps[1],
            trigger=(
                f"A task waits in `{function.name}`; a second one comes there and replaces `{target}`; "
                f"`{found.completer.name}` completes the second alone."
            ),
            confidence=_confidence(program, found),
            fields=(found.field,),
        )
        return report(self, incident, function=function.name, target=target)


def _is_alone(program: Program, found: WaitingSlot) -> bool:
    """True if a lock, or a flag that is looked at and set, keeps a second task out."""
    held = program.locksets.at(found.function, found.stored) & program.locksets.at(found.function, found.wait)
    return bool(held) or program.awaits.is_claimed(found.function, found.wait, but=found.field)


def _confidence(program: Program, found: WaitingSlot) -> Sureness:
    function = found.function
    if "drain" in function.name:
        return TaskDoubt.FROM_WRITERS.likely
    if found.is_asserted:
        return TaskDoubt.ASSERTED.possible
    if LIFECYCLE.fullmatch(function.name):
        return TaskDoubt.LIFECYCLE.possible
    met = may_meet_there(program, function)
    return TaskDoubt.SECOND_WAITER.likely if met else TaskDoubt.NO_TWO_TASKS.possible
