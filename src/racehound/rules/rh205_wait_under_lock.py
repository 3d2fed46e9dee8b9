"""A thread waits, with a lock in its hands, for somebody who needs that lock.

`with self._lock: self._thread.join()` waits for a thread that wants `self._lock` before it can end. The same goes
for a pool that is shut down while its jobs need the lock, for the result of a future, and for an item of a queue
or an event that are delivered under the lock or after it. It goes well when the other side happens to be done
already.

Let go of the lock before waiting.
"""

from collections.abc import Iterator

from racehound.analysis.locking.takings import Takings
from racehound.analysis.locking.waits import Wait, Waits
from racehound.analysis.program import Program
from racehound.model.finding import Finding, Grade
from racehound.model.lock_doubts import LockDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation, owner_of, place_of
from racehound.source.events import Action, Place


class WaitUnderLock(Rule):
    meta = RuleMeta(
        code="RH205",
        name="wait-under-lock",
        summary="`{function}` holds `{lock}` while it waits for `{what}`, which {needs} that lock in `{other}`",
        severity=Severity.ERROR,
        race_type="Deadlock",
        impact="Deadlock: the two wait for each other for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "locks"}),
    )
    bad = (
        Bad("""
            import threading

            class Poller:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._count = 0
                    self._thread = threading.Thread(target=self._run)

                def _run(self):
                    with self._lock:
                        self._count += 1

                def stop(self):
                    with self._lock:
                        self._thread.join()  # RH
            """),
        Bad("""
            import queue
            import threading

            class Broker:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._jobs = queue.Queue()

                def offer(self, job):
                    with self._lock:
                        self._jobs.put(job)

                def take(self):
                    with self._lock:
                        return self._jobs.get()  # RH
            """),
    )
    good = (
        Good("""
            import threading

            class Poller:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._count = 0
                    self._thread = threading.Thread(target=self._run)

                def _run(self):
                    with self._lock:
                        self._count += 1

                def stop(self):
                    with self._lock:
                        self._count = 0
                    self._thread.join()
            """),
        Good("""
            import queue
            import threading

            class Broker:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._jobs = queue.Queue()

                def offer(self, job):
                    self._jobs.put(job)

                def take(self):
                    with self._lock:
                        return self._jobs.get()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        takings = Takings(program)
        waits = Waits(program, takings)
        functions = tuple(takings.owners())
        for function in functions:
            takings.direct(function)
        for function in functions:
            for wait in waits.of(function):
                yield self._accuse(program, wait)

    def _accuse(self, program: Program, wait: Wait) -> Finding:
        lock = str(program.locksets.named(wait.lock)[0])
        first = operation(program, wait.function, wait.at, Action.WAIT, Place(wait.what))
        second = operation(program, wait.other, wait.other_at, Action.ACQUIRE, Place(lock))
        facts = {
            "function": wait.function.name,
            "lock": lock,
            "what": wait.what,
            "other": wait.other.name,
            "needs": "may need" if wait.is_guess else "needs",
        }
        doubt = LockDoubt.OTHER_JOB if wait.is_guess else LockDoubt.OTHER_SIDE
        accusation = Accusation(
            owner=owner_of(wait.function),
            field=lock,
            first=first,
            second=second,
            trigger=(
                f"`{wait.function.name}` takes `{lock}` and waits; "
                f"{'a job that still runs' if wait.is_guess else 'the other side'} comes to `{wait.other.name}` "
                f"and waits for `{lock}`."
            ),
            confidence=doubt.likely,
            grade=Grade.GIL,
            lock=lock,
            evidence=(first, second) if place_of(first).path == place_of(second).path else (first,),
        )
        return self.accuse(program, accusation, **facts)
