"""A process is signalled by a number that was read from a file.

The number is that of a process which ran when the file was written. Between the reading and the signal it ends by
itself, or a second run of the same command ends it: the signal fails with `ProcessLookupError`, and what was to
follow, such as the removal of the file, does not happen. After a restart the number may be that of a stranger. A
look whether the process is alive does not help: it can end right after that.

Catch `ProcessLookupError` (`psutil.NoSuchProcess`) around the signal: a process that is gone is what was wanted.
Let the process hold a lock on its file, so that whoever reads the number can tell whether it is still its own.
"""

from collections.abc import Iterator
from itertools import islice

from racehound.analysis.program import Program
from racehound.model.file_doubts import FileDoubt
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.files.process_numbers import METHODS, NumberRead, Signal, numbers_read, signals
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.facts import FunctionFacts


class StaleProcessNumber(Rule):
    meta = RuleMeta(
        code="RH409",
        name="stale-process-number",
        summary="`{function}` signals the process whose number was read from a file, and which may be gone",
        severity=Severity.WARNING,
        race_type="TOCTOU",
        impact="Crash, or a signal for a stranger: the process ended after its number was read.",
        since="0.1.0",
        tags=frozenset({"files", "processes"}),
    )
    bad = (
        Bad("""
            import os
            import signal

            def stop(pid_path):
                with open(pid_path) as file:
                    pid = int(file.read())
                os.kill(pid, signal.SIGTERM)  # RH
                os.remove(pid_path)
            """),
    )
    good = (
        Good("""
            import os
            import signal

            def stop(pid_path):
                with open(pid_path) as file:
                    pid = int(file.read())
                try:
                    os.kill(pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in dict.fromkeys(item for name in METHODS for item in module.callers.get(name, ())):
                yield from islice(self._function(program, function), 1)

    def _function(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        """The first is enough: what is sent otherwise finds the same process gone."""
        for signal in signals(program, function):
            read = numbers_read(program, function, signal)
            if read is not None:
                yield self._accuse(function, signal, read)

    def _accuse(self, function: FunctionFacts, signal: Signal, read: NumberRead) -> Finding:
        context = f"any process that calls `{function.name}`"
        first = Step(function=function, span=signal.span, action="signals", target=signal.target, context=context)
        second = Step(
            function=read.function, span=read.span, action="reads", target="its number", context="the same call"
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{function.name}` has read the number; the process ends, by itself or by another run; the "
                "signal finds nobody, or somebody else."
            ),
            confidence=FileDoubt.NUMBER_TAKEN.likely,
        )
        return report(self, incident, function=function.name)
