"""An entry of a table is closed, and taken out of the table only when that is done.

Closing waits, and other tasks run meanwhile. One that asks the table is given the entry that is on its way out,
and works with a connection that is closed under its hands; one that closes it as well does so twice, and finds
nothing to take out. It takes a second task that comes for the same entry while it is being closed.

Take the entry out first, then close what was taken out.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.closed_entries import ClosedEntry, closed_entries
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.across_await import Crossing, accuse_crossing
from racehound.rules.rule import Rule, once, operation
from racehound.source.events import Action
from racehound.source.facts import FunctionFacts


class ClosedBeforeRemoved(Rule):
    meta = RuleMeta(
        code="RH315",
        name="closed-before-removed",
        summary="`{function}` closes an entry and waits before it takes it out of `{target}`",
        severity=Severity.WARNING,
        race_type="Order Violation",
        impact="Use after close: another task is given the entry that is being closed.",
        since="0.1.0",
        tags=frozenset({"asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            class Links:
                def __init__(self):
                    self._links = {}

                async def get(self, name):
                    link = self._links.get(name)
                    return link or await self.open(name)

                async def drop(self, name):
                    link = self._links[name]
                    await link.close()
                    del self._links[name]  # RH
            """),
    )
    good = (
        Good("""
            class Links:
                def __init__(self):
                    self._links = {}

                async def get(self, name):
                    link = self._links.get(name)
                    return link or await self.open(name)

                async def drop(self, name):
                    link = self._links.pop(name)
                    await link.close()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for scope in program.awaits.scopes(program.modules):
            for field, uses, function in scope.coroutines():
                for found in closed_entries(function, program.awaits.paths(function), uses):
                    yield self._accuse(program, field, function, found)

    def _accuse(self, program: Program, field: str, function: FunctionFacts, found: ClosedEntry) -> Finding:
        removal, other = found.removal, outer_method(found.look.function).name
        doubt = TaskDoubt.NO_KEY if found.look.touch.key is None else TaskDoubt.ENTRY_MEANWHILE
        crossing = Crossing(
            field=field,
            first=operation(program, function, found.close, Action.READ, removal.touch.place),
            last=removal,
            pause=found.close + 1,
            rival=found.look,
            confidence=doubt.possible if doubt is TaskDoubt.NO_KEY else doubt.likely,
        )
        trigger = (
            f"`{function.name}` closes an entry of `{removal.touch.place}` and waits; `{other}` finds the entry "
            f"there and uses it; then `{function.name}` takes it out."
        )
        return accuse_crossing(self, program, crossing, trigger)
