"""A coroutine gives back what it has made in a handler for errors, which a cancellation passes by.

`CancelledError` is no `Exception`. If the task is cancelled at the await, by a timeout around it as a rule, the
handler does not run: the connection stays open, the slot stays taken, the process runs on. It shows only if the
cancellation comes between making the thing and the end of the `try`.

Catch `BaseException` where the handler raises again anyway, or put the clean-up into a `finally` of its own.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.error_cleanups import ErrorCleanup, error_cleanups
from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule, once
from racehound.source.events import Call, Pause
from racehound.source.facts import FunctionFacts


class CleanupOnlyOnErrors(Rule):
    meta = RuleMeta(
        code="RH320",
        name="cleanup-only-on-errors",
        summary="`{function}` ends `{target}` if an error comes, and not if it is cancelled",
        severity=Severity.WARNING,
        race_type="Async Context Manager",
        impact="Leak: what a cancelled task has made is never ended, and its slot never given back.",
        since="0.1.0",
        tags=frozenset({"asyncio"}),
    )
    bad = (
        Bad("""
            async def connect(address):
                tunnel = await open_tunnel(address)
                try:
                    return await tunnel.open_session()  # RH
                except Exception:
                    tunnel.close()
                    raise
            """),
        Bad("""
            class Pool:
                async def handle(self, request):
                    status = self.enqueue(request)
                    try:
                        return await self.send(status)  # RH
                    except Exception as error:
                        await self.response_closed(status)
                        raise error
            """),
    )
    good = (
        Good("""
            async def connect(address):
                tunnel = await open_tunnel(address)
                try:
                    return await tunnel.open_session()
                except BaseException:
                    tunnel.close()
                    raise
            """),
        Good("""
            async def connect(address):
                try:
                    tunnel = await open_tunnel(address)
                except Exception:
                    tunnel = spare_tunnel()
                    tunnel.close()
                    raise
                return tunnel
            """),
        Good("""
            async def connect(address):
                tunnel = await open_tunnel(address)
                done = False
                try:
                    session = await tunnel.open_session()
                    done = True
                except Exception:
                    tunnel.close()
                    raise
                finally:
                    if not done:
                        tunnel.close()
                return session
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in module.functions:
                for found in error_cleanups(program, function):
                    yield self._accuse(program, found)

    def _accuse(self, program: Program, found: ErrorCleanup) -> Finding:
        function = found.function
        context = program.tasks.describe(function)
        first = _step(function, found.pause, "waits with an open", found.name, context)
        second = _step(function, found.call, "ends only on errors", found.name, context)
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"The task is cancelled while `{function.name}` waits at line {first.span.line}; line "
                f"{found.caught.line} catches errors only, and nobody ends `{found.name}`."
            ),
            confidence=TaskDoubt.CANCELLED_THERE.likely,
        )
        return report(self, incident, function=function.name, target=found.name)


def _step(function: FunctionFacts, index: int, action: str, target: str, context: str) -> Step:
    event = function.events[index]
    span = event.span if isinstance(event, Call | Pause) else function.span
    return Step(function=function, span=span, action=action, target=target, context=context)
