"""A file is emptied as it is opened, and locked only afterwards.

Whoever holds the lock has written something into the file: its number, its state. A second process that opens the
file empties it, tries for the lock, and is turned away; what the holder wrote is gone all the same. It takes a
second start while the first one runs, which is what the lock is there for.

Open the file without emptying it (`"a+"`, `os.O_RDWR | os.O_CREAT`), lock it, and only then truncate it.
"""

from collections.abc import Iterator

from racehound.analysis.files.truncations import LOCKING, Truncation, truncations
from racehound.analysis.program import Program
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.facts import FunctionFacts


class EmptiedBeforeLocked(Rule):
    meta = RuleMeta(
        code="RH408",
        name="emptied-before-locked",
        summary="`{function}` empties the file before it has the lock",
        severity=Severity.WARNING,
        race_type="Order Violation",
        impact="Data loss: what the holder of the lock has written is gone, though the lock was refused.",
        since="0.1.0",
        tags=frozenset({"files", "locks"}),
    )
    bad = (
        Bad("""
            import fcntl
            import os

            def claim(path):
                file = open(path, "w")  # RH
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.write(str(os.getpid()))
                return file
            """),
    )
    good = (
        Good("""
            import fcntl
            import os

            def claim(path):
                file = open(path, "a+")
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                file.truncate(0)
                file.write(str(os.getpid()))
                return file
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in module.functions if not LOCKING.isdisjoint(module.callers) else ():
                for found in truncations(function):
                    yield self._accuse(function, found)

    def _accuse(self, function: FunctionFacts, found: Truncation) -> Finding:
        context = f"any process that calls `{function.name}`"
        target = str(found.open.arguments[0].place or "the file") if found.open.arguments else "the file"
        first = Step(function=function, span=found.open.span, action="empties", target=target, context=context)
        second = Step(function=function, span=found.lock.span, action="locks", target=target, context=context)
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"One process holds the lock and has written to the file; another one comes to `{function.name}`, "
                "empties the file, and does not get the lock."
            ),
            confidence=FileDoubt.CONTENT_LOST.likely if found.is_filled else FileDoubt.EMPTY_ANYWAY.possible,
        )
        return report(self, incident, function=function.name)
