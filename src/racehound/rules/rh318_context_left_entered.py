"""A coroutine enters a group of tasks by hand and waits for something else; another method is to leave the group.

Whoever calls `start` or `__aenter__` comes to `stop` or `__aexit__` only if it returns. If it is cancelled, or
fails, at the later await, nobody leaves the group: its tasks run on, and its cancel scope stays open in a task
that knows nothing of it. It takes a time limit around the start.

Put a `try` around what comes behind the entry and leave the group in `except BaseException`; or enter a local
`AsyncExitStack` with `async with`, and keep what its `pop_all` returns.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.entered_by_hand import ENTERING, Entered, entered_by_hand
from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule, once
from racehound.source.events import Pause
from racehound.source.facts import ClassFacts


class ContextLeftEntered(Rule):
    meta = RuleMeta(
        code="RH318",
        name="context-left-entered",
        summary="`{target}` stays entered if `{function}` is cancelled at a later await",
        severity=Severity.WARNING,
        race_type="Async Context Manager",
        impact="Leak: tasks run on that nobody ends, and the cancel scopes of the caller are out of order.",
        since="0.1.0",
        tags=frozenset({"asyncio", "orphan-tasks"}),
    )
    bad = (
        Bad("""
            import anyio

            class Broker:
                async def start(self):
                    self._tasks = anyio.create_task_group()
                    await self._tasks.__aenter__()
                    self._send = await self._tasks.start(self._listen)  # RH

                async def stop(self):
                    self._send.close()
                    await self._tasks.__aexit__(None, None, None)
            """),
    )
    good = (
        Good("""
            import anyio

            class Broker:
                async def start(self):
                    self._tasks = anyio.create_task_group()
                    await self._tasks.__aenter__()
                    try:
                        self._send = await self._tasks.start(self._listen)
                    except BaseException:
                        self._tasks.cancel_scope.cancel()
                        await self._tasks.__aexit__(None, None, None)
                        raise

                async def stop(self):
                    self._send.close()
                    await self._tasks.__aexit__(None, None, None)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if any(method.is_async for method in owner.methods.values()) and _enters(program, owner):
                for found in entered_by_hand(owner, program.hierarchy, program.kinds):
                    yield self._accuse(program, found)

    def _accuse(self, program: Program, found: Entered) -> Finding:
        function, target = found.function, str(found.context)
        event = function.events[found.pause]
        first = Step(
            function=function,
            span=event.span if isinstance(event, Pause) else function.span,
            action="waits with an open",
            target=target,
            context=program.tasks.describe(function),
        )
        second = Step(
            function=found.leaver,
            span=found.leave.span,
            action="leaves",
            target=target,
            context=program.tasks.describe(found.leaver),
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{function.name}` has entered `{target}` and waits; it is cancelled there, and nobody calls "
                f"`{found.leaver.name}`, which would leave it."
            ),
            confidence=TaskDoubt.CANCELLED_THERE.likely,
            fields=found.context.attributes[:1],
        )
        return report(self, incident, function=function.name, target=target)


def _enters(program: Program, owner: ClassFacts) -> bool:
    """A cheap look before anything is resolved."""
    return any(not ENTERING.isdisjoint(item.module.callers) for item in program.hierarchy.linear(owner))
