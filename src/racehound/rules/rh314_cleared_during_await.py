"""A coroutine finds an object there, waits, and uses it without another look.

At the await other tasks run, and callbacks of the loop. One that closes the connection puts `None` where the
object was, and the coroutine goes on with an attribute of `None`: `AttributeError` in place of the error that
tells of a closed connection. It takes an end that comes at that moment.

Take the object into a variable before the await and use that, or look again after it.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.cleared import CALLED_BACK, Counted, counted_on, is_tear_down
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.across_await import Crossing, accuse_crossing
from racehound.rules.rule import Rule, once
from racehound.source.facts import ClassFacts, FunctionFacts


class ClearedDuringAwait(Rule):
    meta = RuleMeta(
        code="RH314",
        name="cleared-during-await",
        summary="`{function}` relies on `{target}` after an await during which it may become `None`",
        severity=Severity.WARNING,
        race_type="TOCTOU",
        impact="Crash: `AttributeError` on `None`, where a closed connection or a second try was expected.",
        since="0.1.0",
        tags=frozenset({"asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import asyncio

            class Link(asyncio.Protocol):
                def __init__(self):
                    self._transport = None

                def connection_lost(self, error):
                    self._transport = None

                async def send(self, message):
                    if self._transport is None:
                        raise ConnectionError
                    data = await encode(message)
                    self._transport.write(data)  # RH
            """),
    )
    good = (
        Good("""
            import asyncio

            class Link(asyncio.Protocol):
                def __init__(self):
                    self._transport = None

                def connection_lost(self, error):
                    self._transport = None

                async def send(self, message):
                    data = await encode(message)
                    if self._transport is None:
                        raise ConnectionError
                    self._transport.write(data)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for scope in program.awaits.scopes(program.modules):
            if isinstance(scope.owner, ClassFacts):
                for field, uses, function in scope.coroutines():
                    if not is_tear_down(outer_method(function)):
                        for found in counted_on(function, program.awaits.paths(function), uses):
                            yield self._accuse(program, field, function, found)

    def _accuse(self, program: Program, field: str, function: FunctionFacts, found: Counted) -> Finding:
        other = outer_method(found.clear.function)
        crossing = Crossing(
            field=field,
            first=found.look,
            last=found.use,
            pause=found.pause,
            rival=found.clear,
            confidence=_confidence(program, function, other),
        )
        trigger = (
            f"`{function.name}` finds `{crossing.target}` there and waits; `{other.name}` puts `None` in its "
            f"place; then `{function.name}` uses an attribute of `None`."
        )
        return accuse_crossing(self, program, crossing, trigger)


def _confidence(program: Program, function: FunctionFacts, other: FunctionFacts) -> Sureness:
    if CALLED_BACK.match(other.name) and not other.is_async:
        return TaskDoubt.CALLED_BACK.likely
    known = program.tasks.may_overlap(function, other)
    return TaskDoubt.CLEARED_MEANWHILE.likely if known else TaskDoubt.NO_TWO_TASKS.possible
