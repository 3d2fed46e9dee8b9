"""Others are told that something has changed before it has.

Whoever waits for an event or a condition looks, once it is woken, at what has changed. If the event is set first
and the field is stored after it, a thread that is quick finds the old value: it takes the result that is not there
yet, or sees no reason to stop and waits again, for a signal that does not come a second time.

Store first, then tell others; for a condition, do both while its lock is held.
"""

from collections.abc import Iterator

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.signals import Late, late_stores
from racehound.model.finding import Finding, Grade
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.rule import Accusation, Rule, once
from racehound.rules.state.guard_order import is_beginning
from racehound.source.facts import ClassFacts


class SignalBeforeStore(Rule):
    meta = RuleMeta(
        code="RH118",
        name="signal-before-store",
        summary="`{function}` signals by `{signal}` before it stores `{target}`, which `{other}` looks at",
        severity=Severity.WARNING,
        race_type="Lost Wake-up",
        impact="Missed change: whoever was woken finds the old value, and may wait for ever.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import threading

            class KeepAlive(threading.Thread):
                def __init__(self, client):
                    super().__init__()
                    self._client = client
                    self._woken = threading.Condition()
                    self._stopped = False

                def run(self):
                    while not self._stopped:
                        with self._woken:
                            self._woken.wait(60)
                        self._client.ping()

                def stop(self):
                    with self._woken:
                        self._woken.notify_all()
                    self._stopped = True  # RH
            """),
    )
    good = (
        Good("""
            import threading

            class KeepAlive(threading.Thread):
                def __init__(self, client):
                    super().__init__()
                    self._client = client
                    self._woken = threading.Condition()
                    self._stopped = False

                def run(self):
                    while not self._stopped:
                        with self._woken:
                            self._woken.wait(60)
                        self._client.ping()

                def stop(self):
                    with self._woken:
                        self._stopped = True
                        self._woken.notify_all()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            for late in late_stores(program, owner):
                if not is_beginning(outer_method(late.told.function)):
                    yield self._accuse(program, owner, late)

    def _accuse(self, program: Program, owner: ClassFacts, late: Late) -> Finding:
        function, other = (outer_method(item.function).name for item in (late.told, late.waiting))
        target, signal = str(late.store.touch.place), f"self.{late.told.name}.{late.told.call.method}"
        trigger = (
            f"`{function}` calls `{signal}` and is stopped; `{other}` sees the old `{target}` and sets the event "
            f"again; then `{function}` stores `{target}`, and the event says what is no longer true."
            if late.told.call.method == "clear"
            else f"`{function}` calls `{signal}` and is stopped; `{other}` is woken, looks at `{target}` and "
            "finds the old value; nobody wakes it again."
        )
        shared = program.shared.why(owner) is not None
        accusation = Accusation(
            owner=owner,
            field=late.store.touch.place.attributes[0],
            first=late.store,
            second=late.look,
            trigger=trigger,
            confidence=MeetingDoubt.NOT_SEEN_TOGETHER.likely if shared else MeetingDoubt.UNSHARED_CLASS.possible,
            grade=Grade.GIL,
        )
        return self.accuse(program, accusation, function=function, signal=signal, target=target, other=other)
