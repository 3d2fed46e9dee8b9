"""Two tasks talk over one stream at the same time, and a message takes several steps.

The stream takes what comes, in the order in which it comes. At the await between two parts of a message, or
between a question and its answer, the other task runs: its parts come in between, and the peer reads neither
message; or it reads the answer that is meant for the first, or fails, for only one may wait for data. It takes a
second sender: the keep-alive is one.

Put the parts together and write them at once, or hold an `asyncio.Lock` of the connection from the first step to
the last.
"""

import re
from collections.abc import Iterator

from racehound.analysis.awaiting.dialogues import READERS, WRITERS, Dialogue, dialogues
from racehound.analysis.awaiting.two_readers import TwoReaders, two_readers
from racehound.analysis.awaiting.visitors import may_meet_there
from racehound.analysis.program import Program
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule, once
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts

_FIRST_WORDS = re.compile(r"connect|init|handshake|login|log_in|auth|start|open|setup|negotiat|hello")
"""Dialogues that a connection begins with, before anybody else has it."""


class InterleavedDialogue(Rule):
    meta = RuleMeta(
        code="RH319",
        name="interleaved-dialogue",
        summary="Two tasks in `{function}` mix up their {what} on `{target}`",
        severity=Severity.ERROR,
        race_type="Interleaved Steps",
        impact="Corruption: the peer reads a mixture of messages, or a task is given the answer to another one.",
        since="0.1.0",
        tags=frozenset({"asyncio", "shared-state"}),
    )
    bad = (
        Bad("""
            import asyncio

            class Link:
                def __init__(self, writer):
                    self._writer = writer

                async def send(self, body):
                    self._writer.write(len(body).to_bytes(4, "big"))
                    await self._writer.drain()
                    self._writer.write(body)  # RH

                async def _beat(self):
                    while True:
                        await self.send(b"")
                        await asyncio.sleep(5)

                def start(self):
                    self._beating = asyncio.create_task(self._beat())
            """),
    )
    good = (
        Good("""
            import asyncio

            class Link:
                def __init__(self, writer):
                    self._writer = writer

                async def send(self, body):
                    self._writer.write(len(body).to_bytes(4, "big") + body)
                    await self._writer.drain()

                async def _beat(self):
                    while True:
                        await self.send(b"")
                        await asyncio.sleep(5)

                def start(self):
                    self._beating = asyncio.create_task(self._beat())
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if not READERS.isdisjoint(owner.module.callers):
                for readers in two_readers(program, owner):
                    if not _FIRST_WORDS.search(readers.other.function.name):
                        yield self._accuse_readers(program, readers)
            if not WRITERS.isdisjoint(owner.module.callers):
                for function in filter(lambda item: item.is_async, owner.methods.values()):
                    for found in dialogues(function, program.awaits.paths(function), program.locksets):
                        if not program.awaits.is_claimed(function, found.pause):
                            yield self._accuse(program, found)

    def _accuse_readers(self, program: Program, found: TwoReaders) -> Finding:
        target, (task, other) = str(found.stream), (found.task.function, found.other.function)
        second, first = (
            Step(
                function=read.function,
                span=read.call.span,
                action="reads",
                target=target,
                context=program.tasks.describe(read.function),
            )
            for read in (found.task, found.other)
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{task.name}` waits for data of `{target}` when a task calls `{other.name}`, which reads as "
                "well: it fails, since only one may wait, or takes what was meant for the other."
            ),
            confidence=TaskDoubt.TWO_READERS.likely,
            fields=found.stream.attributes[:1],
        )
        return report(self, incident, function=f"{task.name}` and `{other.name}", target=target, what="reads")

    def _accuse(self, program: Program, found: Dialogue) -> Finding:
        function, target = found.function, str(found.stream)
        context = program.tasks.describe(function)
        first, last = (
            Step(function=function, span=event.span, action=action, target=target, context=context)
            for event, action in (
                (function.events[found.first], "begins to talk on"),
                (function.events[found.last], "goes on with"),
            )
            if isinstance(event, Call)
        )
        what = "questions and answers" if found.is_answered else "messages"
        incident = Incident(
            first=last,
            second=first,
            trigger=(
                f"A task has begun in `{function.name}` and waits; a second one comes to `{function.name}` and "
                f"begins as well; then the first goes on with `{target}`."
            ),
            confidence=_confidence(program, function),
            fields=found.stream.attributes[:1],
        )
        return report(self, incident, function=function.name, target=target, what=what)


def _confidence(program: Program, function: FunctionFacts) -> Sureness:
    if _FIRST_WORDS.search(function.name):
        return TaskDoubt.FIRST_WORDS.possible
    met = may_meet_there(program, function)
    return TaskDoubt.SECOND_SPEAKER.likely if met else TaskDoubt.NO_TWO_TASKS.possible
