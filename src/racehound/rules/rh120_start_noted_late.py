"""A function starts a thread or a task unless it runs already, and only the one who is started notes that it runs.

What is started does not run at once: a thread when the system gives it a turn, a task when the coroutine that
starts it waits. Whoever looks at the flag before that finds it as it was and starts a second one. A lock around
the look and the start does not help, for the flag is set outside of it. Mostly the first one is quick enough.

Set the flag where the thread or the task is started, just before that.
"""

from collections.abc import Iterator

from racehound.analysis.awaiting.awaits import LIFECYCLE
from racehound.analysis.locking.locksets import is_constructor
from racehound.analysis.program import Program
from racehound.analysis.threads.begun import LateNote, late_notes
from racehound.model.finding import Finding, Grade
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once, operation
from racehound.source.events import SELF, Action, Call, Place
from racehound.source.facts import ClassFacts, FunctionFacts


class StartNotedLate(Rule):
    meta = RuleMeta(
        code="RH120",
        name="start-noted-late",
        summary="`{function}` starts `{started}` unless `{target}` is set, which only `{started}` does",
        severity=Severity.ERROR,
        race_type="TOCTOU",
        impact="Started twice: two of them do the same work, or `start` raises as the thread runs already.",
        since="0.1.0",
        tags=frozenset({"threads", "asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class Worker:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._thread = threading.Thread(target=self._work)
                    self._running = False

                def ensure_running(self):
                    with self._lock:
                        if not self._running:  # RH
                            self._thread.start()

                def _work(self):
                    self._running = True
                    serve()
            """),
        Bad(
            """
            import asyncio

            class Sender:
                def __init__(self):
                    self._rows = []
                    self._sending = False

                def add(self, row):
                    self._rows.append(row)
                    if not self._sending:  # RH
                        self._task = asyncio.create_task(self._send())

                async def _send(self):
                    self._sending = True
                    while self._rows:
                        await transmit(self._rows.pop())
                    self._sending = False
            """,
            fixed="""
            import asyncio

            class Sender:
                def __init__(self):
                    self._rows = []
                    self._sending = False

                def add(self, row):
                    self._rows.append(row)
                    if not self._sending:
                        self._sending = True
                        self._task = asyncio.create_task(self._send())

                async def _send(self):
                    self._sending = True
                    while self._rows:
                        await transmit(self._rows.pop())
                    self._sending = False
            """,
        ),
    )
    good = (
        Good("""
            import threading

            class Worker:
                def __init__(self):
                    self._lock = threading.Lock()
                    self._thread = threading.Thread(target=self._work)
                    self._running = False

                def ensure_running(self):
                    with self._lock:
                        if not self._running:
                            self._running = True
                            self._thread.start()

                def _work(self):
                    self._running = True
                    serve()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            for function in owner.methods.values():
                if Call in function.holds and Action.CHECK in function.holds and not is_constructor(function):
                    for found in late_notes(program, owner, function):
                        yield self._accuse(program, owner, function, found)

    def _accuse(self, program: Program, owner: ClassFacts, function: FunctionFacts, found: LateNote) -> Finding:
        name, started, field = function.name, found.start.target.name, found.look.touch.place.attributes[0]
        note = operation(program, *found.note, Action.WRITE, Place(SELF, (field,)))
        again = _is_called_again(program, owner, found)
        accusation = Accusation(
            owner=owner,
            field=field,
            first=found.look,
            second=note,
            trigger=(
                f"`{name}` finds `self.{field}` unset and starts `{started}`; before that begins to run, "
                f"`{name}` is called again, also finds it unset, and starts a second one."
            ),
            confidence=MeetingDoubt.SECOND_CALL.likely if again else HarmDoubt.CALLED_ONCE.possible,
            grade=Grade.GIL,
            evidence=(found.look, note) if note.function.module is function.module else (found.look,),
        )
        return self.accuse(program, accusation, function=name, started=started, target=f"self.{field}")


def _is_called_again(program: Program, owner: ClassFacts, found: LateNote) -> bool:
    """A step that others begin with, or that nobody calls just once; a lock says that several may come."""
    function = found.look.function
    if found.look.locks or not LIFECYCLE.fullmatch(function.name):
        return True
    callers = [item for item in program.hierarchy.effective(owner) if item is not function]
    return any(
        call.callee == Place(SELF, (function.name,)) and not is_constructor(item)
        for item in callers
        for _, call in item.calls_of(function.name)
    )
