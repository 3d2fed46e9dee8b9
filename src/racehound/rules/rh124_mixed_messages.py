"""Two threads talk over one connection at the same time, and what each has to say takes several steps.

The connection takes what comes, in the order in which it comes. Between the head of a message and its body, or
between a question and its answer, the other thread has its turn: the peer reads a mixture of both, or a thread is
given the answer to the question of the other. It takes a second sender, and a switch at just that point.

Put the parts together and send them at once, and hold one lock from the question to its answer.
"""

import re
from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.state.spoken import WRITERS, Talk, steps_on_streams, talks
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding, Grade
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.rule import Accusation, Rule, once, operation
from racehound.source.events import Action
from racehound.source.facts import ClassFacts, FunctionFacts

_FIRST_WORDS = re.compile(r"connect|init|handshake|login|log_in|auth|start|open|setup|negotiat|hello|enter")
"""What a connection begins with, before anybody else has it."""


class MixedMessages(Rule):
    meta = RuleMeta(
        code="RH124",
        name="mixed-messages",
        summary="Threads in `{function}` and `{other}` mix up their {what} on `{target}`",
        severity=Severity.ERROR,
        race_type="Interleaved Steps",
        impact="Corruption: the peer reads a mixture of messages, or a thread is given the answer to another one.",
        since="0.1.0",
        tags=frozenset({"threads", "shared-state"}),
    )
    bad = (
        Bad("""
            import socket
            import threading

            class Feed:
                def __init__(self, address):
                    self._sock = socket.create_connection(address)
                    self._beating = threading.Thread(target=self._beat)
                    self._beating.start()

                def _beat(self):
                    while True:
                        self._sock.sendall(bytes(4))

                def send(self, body):
                    self._sock.sendall(len(body).to_bytes(4, "big"))
                    self._sock.sendall(body)  # RH
            """),
        Bad("""
            class Client:
                '''Thread-safe access to the server.'''

                def __init__(self, conn):
                    self._conn = conn

                def ask(self, question):
                    self._conn.send(question)
                    return self._conn.recv()  # RH
            """),
    )
    good = (
        Good("""
            import threading

            class Client:
                '''Thread-safe access to the server.'''

                def __init__(self, conn):
                    self._conn = conn
                    self._lock = threading.Lock()

                def ask(self, question):
                    with self._lock:
                        self._conn.send(question)
                        return self._conn.recv()
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if not WRITERS.isdisjoint(owner.module.callers) and program.shared.why(owner) is not None:
                for function in owner.methods.values():
                    if not function.is_async:
                        yield from self._function(program, owner, function)

    def _function(self, program: Program, owner: ClassFacts, function: FunctionFacts) -> Iterator[Finding]:
        for talk in talks(function, program.awaits.paths(function), program.locksets):
            rival = _rival(program, owner, talk)
            if rival is not None:
                yield self._accuse(program, owner, talk, rival)

    def _accuse(
        self, program: Program, owner: ClassFacts, talk: Talk, rival: tuple[FunctionFacts, int]
    ) -> Finding:
        function, other, stream = talk.function, rival[0], str(talk.stream)
        last = operation(program, function, talk.last, Action.READ, talk.stream)
        first = operation(program, function, talk.first, Action.READ, talk.stream)
        accusation = Accusation(
            owner=owner,
            field=talk.stream.attributes[0],
            first=last,
            second=operation(program, *rival, Action.READ, talk.stream),
            trigger=(
                f"A thread has begun in `{function.name}`; another one talks on `{stream}` in `{other.name}`; "
                "then the first goes on."
            ),
            confidence=_sureness(program, owner, talk, other),
            grade=Grade.GIL,
            evidence=(first, last),
        )
        what = "questions and answers" if talk.is_answered else "messages"
        return self.accuse(program, accusation, function=function.name, other=other.name, target=stream, what=what)


def _rival(program: Program, owner: ClassFacts, talk: Talk) -> tuple[FunctionFacts, int] | None:
    """What else may be said meanwhile: the same once more, or what another method has to say."""
    meetings = Meetings(program)
    others = (item for item in program.hierarchy.effective(owner) if item is not talk.function)
    for function in (talk.function, *others):
        for at, call, stream in steps_on_streams(function):
            speaks = call.method in WRITERS and stream == talk.stream
            if speaks and not function.is_async and meetings.may_meet(owner, talk.function, function):
                return function, at
    return None


def _sureness(program: Program, owner: ClassFacts, talk: Talk, other: FunctionFacts) -> Sureness:
    if _FIRST_WORDS.search(talk.function.name) or _FIRST_WORDS.search(other.name):
        return TaskDoubt.FIRST_WORDS.possible
    meetings = Meetings(program)
    uses = meetings.fields(owner).get(talk.stream.attributes[0], [])
    return meetings.certainty(owner, talk.function, other, uses)
