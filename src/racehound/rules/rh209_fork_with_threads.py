"""A process is forked while other threads run.

The child gets a copy of all memory, but only the thread that forked. A lock that another thread held at that
moment is held in the child for ever: the first `print`, log call or allocation that needs it hangs. It depends on
what the other threads were doing, so it happens now and then. Starting a `multiprocessing.Process`, or a pool of
them, forks as well where that is how processes are started, as it is on Linux up to Python 3.13; where the program
chooses the way itself (`set_start_method`, `get_context`), such a start is accused as `possible`.

Fork before threads are started, or start processes with the `spawn` method.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.testfiles import is_in_a_test
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.locking.fork_steps import Fork, ForkSteps
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of
from racehound.source.events import Action, Call, Place
from racehound.source.facts import FunctionFacts


class ForkWithThreads(Rule):
    meta = RuleMeta(
        code="RH209",
        name="fork-with-threads",
        summary="`{function}` forks while the thread started in line {line} runs",
        severity=Severity.WARNING,
        race_type="Fork",
        impact="Deadlock in the child: a lock that the other thread held is never released there.",
        since="0.1.0",
        tags=frozenset({"threads", "processes"}),
    )
    bad = (
        Bad("""
            import os
            import threading

            def serve():
                threading.Thread(target=report).start()
                if os.fork() == 0:  # RH
                    handle()
            """),
    )
    good = (
        Good("""
            import os
            import threading

            def serve():
                if os.fork() == 0:
                    handle()
                threading.Thread(target=report).start()
            """),
        Good("""
            import os
            import threading

            def serve():
                reporter = threading.Thread(target=report)
                reporter.start()
                reporter.join()
                if os.fork() == 0:
                    handle()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        steps = ForkSteps(program)
        for function in steps.functions():
            yield from self._function(program, steps, function)

    def _function(self, program: Program, steps: ForkSteps, function: FunctionFacts) -> Iterator[Finding]:
        calls = [(index, event) for index, event in enumerate(function.events) if type(event) is Call]
        if all(steps.fork(function, call) is None for _, call in calls):
            return
        started: int | None = None
        for index, event in calls:
            if steps.starts_thread(function, event):
                started = index if started is None else started
            elif event.method == "join":
                started = None
            elif started is not None and (fork := steps.fork(function, event)) is not None:
                chosen = fork is Fork.USUAL and steps.is_method_chosen
                sure = LockDoubt.METHOD_CHOSEN.possible if chosen else LockDoubt.HELD_AT_FORK.likely
                if is_in_a_test(program.hierarchy, function):
                    sure = LockDoubt.FORK_OF_TEST.possible
                yield self._accuse(program, function, (started, index), sure)

    def _accuse(
        self, program: Program, function: FunctionFacts, pair: tuple[int, int], confidence: Sureness
    ) -> Finding:
        started, forked = pair
        first = operation(program, function, forked, Action.START, Place("process"))
        second = operation(program, function, started, Action.START, Place("thread"))
        accusation = Accusation(
            owner=owner_of(function),
            field="",
            first=first,
            second=second,
            trigger=f"The thread holds a lock when `{function.name}` forks; in the child nobody ever releases it.",
            confidence=confidence,
            grade=Grade.GIL,
            evidence=(second, first),
        )
        return self.accuse(program, accusation, function=function.name, line=str(second.touch.span.line))
