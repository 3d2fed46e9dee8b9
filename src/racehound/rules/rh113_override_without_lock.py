"""A derived class overrides a method that locks, and does not lock.

The base class changes its state under its lock. The override changes the same state and neither takes the lock
nor calls the method it replaces, so that the other methods of the base class are no longer safe either.

Take the lock of the base class in the override, or call `super()` for what touches the guarded state.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.state.discipline import functions
from racehound.analysis.state.fields import Use
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.source.facts import ClassFacts, FunctionFacts


class OverrideWithoutLock(Rule):
    meta = RuleMeta(
        code="RH113",
        name="override-without-lock",
        summary="`{function}` changes `self.{field}` without `{lock}`, which the method it overrides holds",
        severity=Severity.ERROR,
        race_type="Inconsistent Guard",
        impact="Data corruption: the override runs in the middle of what the base class guards.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Store:
                def __init__(self):
                    self._mutex = threading.Lock()
                    self._rows = []

                def add(self, row):
                    with self._mutex:
                        self._rows.append(row)

                def drain(self):
                    with self._mutex:
                        rows, self._rows = self._rows, []
                        return rows

            class AuditedStore(Store):
                def add(self, row):
                    self._rows.append((row, "audited"))  # RH
            """),
    )
    good = (
        Good("""
            import threading

            class Store:
                def __init__(self):
                    self._mutex = threading.Lock()
                    self._rows = []

                def add(self, row):
                    with self._mutex:
                        self._rows.append(row)

                def drain(self):
                    with self._mutex:
                        rows, self._rows = self._rows, []
                        return rows

            class AuditedStore(Store):
                def add(self, row):
                    with self._mutex:
                        self._rows.append((row, "audited"))
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            bases = program.hierarchy.linear(owner)[1:]
            if bases and program.locks.owned(owner):
                for name, method in owner.methods.items():
                    base = next((item for item in bases if name in item.methods), None)
                    if base is not None:
                        yield from self._override(program, owner, method, base)

    def _override(
        self, program: Program, owner: ClassFacts, method: FunctionFacts, base: ClassFacts
    ) -> Iterator[Finding]:
        replaced = base.methods[method.name]
        guarded = program.fields.of_class(base)
        for field, uses in program.fields.of_class(owner).items():
            before = [
                use for use in guarded.get(field, ()) if use.function is replaced and use.changes and use.locks
            ]
            bare = [use for use in uses if use.function is method and use.changes and not use.locks]
            others = [use for use in uses if before and use.locks & before[0].locks and use.function is not method]
            if before and bare and others:
                yield self._accuse(program, owner, field, (bare[0], others[0]), uses)

    def _accuse(
        self, program: Program, owner: ClassFacts, field: str, pair: tuple[Use, Use], uses: list[Use]
    ) -> Finding:
        bare, other = pair
        lock = str(program.locksets.named(other.locks)[0])
        accusation = Accusation(
            owner=owner,
            field=field,
            first=bare,
            second=other,
            trigger=(
                f"`{other.function.name}` holds `{lock}` while it {other.touch.action.value} `self.{field}`; the "
                f"override of `{bare.function.name}` does not wait for it."
            ),
            confidence=MeetingDoubt.NOT_SEEN_TOGETHER.likely,
            grade=Grade.GIL,
            others=functions(uses),
            lock=lock,
        )
        return self.accuse(program, accusation, function=bare.function.name, field=field, lock=lock)
