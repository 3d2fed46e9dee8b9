"""A function sets the flag that says that something is done, and does it only then.

Whoever comes meanwhile finds the flag set, turns back and counts on what is not there yet: the table is empty, the
connection is `None`. A lock around the look and the setting does not help if it is given up before the work: only
one thread does the work, but nobody waits for it. It shows where two come first, and the work takes a while.

Set the flag when the work is done, and hold one lock from the look to that, so that others wait.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.visitors import may_meet_there
from racehound.analysis.program import Program
from racehound.analysis.state.early_flags import EarlyFlag, Owner, early_flags
from racehound.analysis.state.meeting import Meetings
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.rule import Accusation, Rule, once, seen_from
from racehound.source.facts import ClassFacts


class FlagBeforeWork(Rule):
    meta = RuleMeta(
        code="RH123",
        name="flag-before-work",
        summary="`{target}` is set in `{function}` before `{work}` is there, on which `{reader}` counts",
        severity=Severity.ERROR,
        race_type="Lazy Initialization",
        impact="Half-made state: whoever finds the flag set works with what is not there yet.",
        since="0.1.0",
        tags=frozenset({"threads", "asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Catalogue:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._loaded = False
                    self._prices = {}

                def _ensure_loaded(self):
                    with self._lock:
                        if self._loaded:
                            return
                        self._loaded = True  # RH
                    for name, price in download():
                        self._prices[name] = price

                def price(self, name):
                    self._ensure_loaded()
                    return self._prices[name]
            """),
        Bad("""
            class Sessions:
                def __init__(self):
                    self._ready = False
                    self._pool = None

                async def _ensure_ready(self):
                    if self._ready:
                        return
                    self._ready = True  # RH
                    self._pool = await open_pool()

                async def read(self, key):
                    await self._ensure_ready()
                    return await self._pool.fetch(key)

                async def write(self, key, value):
                    await self._ensure_ready()
                    await self._pool.store(key, value)
            """),
    )
    good = (
        Good("""
            import threading

            class Catalogue:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._loaded = False
                    self._prices = {}

                def _ensure_loaded(self):
                    with self._lock:
                        if self._loaded:
                            return
                        for name, price in download():
                            self._prices[name] = price
                        self._loaded = True

                def price(self, name):
                    self._ensure_loaded()
                    return self._prices[name]
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        owners: tuple[Owner, ...] = (*program.hierarchy.classes, *program.modules)
        for owner in owners:
            for found in early_flags(program, owner):
                sure = _sureness(program, owner, found)
                if sure is not None:
                    yield self._accuse(program, owner, found, sure)

    def _accuse(self, program: Program, owner: Owner, found: EarlyFlag, sure: Sureness) -> Finding:
        function, reader = found.flag.function, found.reader
        target, work = str(found.flag.touch.place), str(found.work.use.touch.place)
        first, read = seen_from(function, found.work), seen_from(reader, found.read)
        accusation = Accusation(
            owner=owner,
            field=found.name,
            first=found.flag,
            second=read,
            trigger=(
                f"One sets `{target}` in `{function.name}` and is not done with `{work}`; another one finds "
                f"`{target}` set, goes on, and in `{reader.name}` counts on `{work}`."
            ),
            confidence=sure,
            grade=Grade.GIL,
            evidence=(found.flag, first, read) if reader.module is function.module else (found.flag, first),
        )
        return self.accuse(
            program, accusation, target=target, function=function.name, work=work, reader=reader.name
        )


def _sureness(program: Program, owner: Owner, found: EarlyFlag) -> Sureness | None:
    """None where no two are known to come at the same time."""
    function, reader = found.flag.function, found.reader
    if function.is_async:
        if may_meet_there(program, function) or may_meet_there(program, reader):
            return TaskDoubt.BY_STATE.likely
        gone_through = program.awaits.is_gone_through(function, several=False)
        return TaskDoubt.GONE_THROUGH.likely if gone_through else TaskDoubt.NO_SIGN.possible
    if isinstance(owner, ClassFacts) and program.shared.why(owner) is None:
        return None
    meetings = Meetings(program)
    fields = meetings.fields(owner)
    known = [
        meetings.certainty(owner, function, reader, uses)
        for uses in (fields[found.name], fields[found.field])
        if meetings.may_meet_at(owner, uses, function, reader)
    ]
    return min(known, key=lambda sure: sure.rank, default=None)
