"""A future is given its result by somebody who does not ask whether it is still open.

Whoever waits for a future may be cancelled, most often because the time for the answer is over, and the future is
cancelled with it. The answer that comes next calls `set_result` on a future that is done: `InvalidStateError` is
raised where nobody expects it, in the callback of a protocol or in the one task that reads all answers, and the
connection is lost for everybody. It takes an answer that comes just too late.

A method of the future that is handed to `call_later` or `call_soon_threadsafe` cannot ask at all.

Check `if not future.done():` first, or wait for `asyncio.shield(future)`; and take the future out of the table in
a `finally` where it was put in.
"""

from collections.abc import Iterator, Mapping, Sequence

from racehound.analysis.awaiting.closed_over_futures import CalledBack, called_back
from racehound.analysis.awaiting.futures import MAKERS, SETTERS, Kept, completions, is_own, kept_futures
from racehound.analysis.awaiting.left_completions import SCHEDULERS, LeftCompletion, left_completions
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule, once
from racehound.source.events import Call, Pause
from racehound.source.facts import ClassFacts, FunctionFacts


class UncheckedCompletion(Rule):
    meta = RuleMeta(
        code="RH313",
        name="unchecked-completion",
        summary="`{function}` {completes} `{target}`, which may be cancelled already",
        severity=Severity.ERROR,
        race_type="Unchecked Completion",
        impact="Crash: `InvalidStateError` ends the task or callback that completes the futures.",
        since="0.1.0",
        tags=frozenset({"asyncio", "shared-state"}),
    )
    bad = (
        Bad(
            """
            import asyncio

            class Client:
                def __init__(self, transport):
                    self._transport = transport
                    self._pending = {}

                async def ask(self, number, question):
                    future = asyncio.get_running_loop().create_future()
                    self._pending[number] = future
                    self._transport.write(question)
                    return await asyncio.wait_for(future, 5)

                def answer_received(self, number, answer):
                    future = self._pending.pop(number, None)
                    if future is not None:
                        future.set_result(answer)  # RH
            """,
            fixed="""
            import asyncio

            class Client:
                def __init__(self, transport):
                    self._transport = transport
                    self._pending = {}

                async def ask(self, number, question):
                    future = asyncio.get_running_loop().create_future()
                    self._pending[number] = future
                    self._transport.write(question)
                    return await asyncio.wait_for(future, 5)

                def answer_received(self, number, answer):
                    future = self._pending.pop(number, None)
                    if future is not None:
                        if not future.done():
                            future.set_result(answer)
            """,
        ),
    )
    good = (
        Good("""
            import asyncio

            class Client:
                def __init__(self, transport):
                    self._transport = transport
                    self._pending = {}

                async def ask(self, number, question):
                    future = asyncio.get_running_loop().create_future()
                    self._pending[number] = future
                    self._transport.write(question)
                    return await asyncio.wait_for(future, 5)

                def answer_received(self, number, answer):
                    future = self._pending.pop(number, None)
                    if future is not None and not future.done():
                        future.set_result(answer)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        return once(self._all(program))

    def _all(self, program: Program) -> Iterator[Finding]:
        for owner in program.hierarchy.classes:
            if not MAKERS.isdisjoint(owner.module.callers):
                yield from self._of_class(program, owner)
        for module in program.modules:
            for item in called_back(module, program.kinds):
                yield self._accuse_callback(program, item)
            if not SCHEDULERS.isdisjoint(module.callers):
                for function in module.functions:
                    for left in left_completions(function, program.kinds) if Call in function.holds else ():
                        yield self._accuse_left(program, function, left)

    def _of_class(self, program: Program, owner: ClassFacts) -> Iterator[Finding]:
        homes = {item.module for item in program.hierarchy.linear(owner)}
        completing = {item for home in homes for name in SETTERS for item in home.callers.get(name, ())}
        if completing.isdisjoint(program.hierarchy.effective(owner)):
            return
        kept: dict[str, list[Kept]] = {}
        for item in kept_futures(owner, program.kinds, program.hierarchy):
            kept.setdefault(item.field, []).append(item)
        for function in program.hierarchy.effective(owner) if kept else ():
            unasked = list(_unasked(function, kept))
            if unasked:
                yield self._accuse(program, function, sorted(unasked, key=lambda item: item[0].span))

    def _accuse_callback(self, program: Program, item: CalledBack) -> Finding:
        first = Step(
            function=item.completing,
            span=item.call.span,
            action="completes",
            target=item.future,
            context=f"whatever calls back what `{item.waiting.name}` handed out",
        )
        second = Step(
            function=item.waiting,
            span=item.wait,
            action="waits for",
            target=item.future,
            context=program.tasks.describe(item.waiting),
        )
        why = "its time is over" if item.is_limited else "it is cancelled"
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{item.waiting.name}` waits for `{item.future}`; {why}, and the future with it; the callback "
                f"comes all the same, or comes a second time, and calls `{item.setter}`, which raises."
            ),
            confidence=TaskDoubt.CALLED_BACK_LATE.likely if item.is_limited else TaskDoubt.NO_LIMIT.possible,
        )
        completes = "completes" if item.completing is not item.waiting else "has a callback complete"
        return report(self, incident, function=item.completing.name, target=item.future, completes=completes)

    def _accuse_left(self, program: Program, function: FunctionFacts, left: LeftCompletion) -> Finding:
        target, context = str(left.future), program.tasks.describe(function)
        ends = TEARDOWN.match(outer_method(function).name) is not None
        first = Step(function=function, span=left.call.span, action="completes", target=target, context=context)
        second = Step(
            function=function,
            span=left.waits or left.call.span,
            action="waits for",
            target=target,
            context=f"any task that waits for `{target}`",
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"Whoever waits for `{target}` is cancelled, and the future with it; then the loop calls "
                f"`{left.setter}`, which raises."
            ),
            confidence=TaskDoubt.AT_THE_END.possible if ends else TaskDoubt.WAITER_CANCELLED.likely,
            fields=left.future.attributes[:1],
        )
        return report(self, incident, function=function.name, target=target, completes="has the loop complete")

    def _accuse(self, program: Program, function: FunctionFacts, unasked: list[tuple[Call, Kept]]) -> Finding:
        """Whoever ends several waits at once has one thing to mend."""
        (call, kept), *others = unasked
        target, waiting = f"self.{kept.field}", kept.function
        ends = TEARDOWN.match(waiting.name) is not None
        event = waiting.events[kept.wait]
        first = _completion(program, function, call, kept)
        second = Step(
            function=waiting,
            span=event.span if isinstance(event, Pause) else waiting.span,
            action="waits for",
            target=target,
            context=program.tasks.describe(waiting),
        )
        also = tuple(_completion(program, function, *other) for other in others)
        why = "its time is over" if kept.is_limited else "it is cancelled"
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"`{waiting.name}` waits for its future in `{target}`; {why}, and the future with it; then "
                f"`{function.name}` finds the future there and calls `{call.method}`, which raises."
            ),
            confidence=TaskDoubt.AT_THE_END.possible if ends else TaskDoubt.WAITER_GONE.likely,
            fields=(kept.field,),
            evidence=(first, second, *also) if also else (),
        )
        return report(self, incident, function=function.name, target=target, completes="completes a future of")


def _unasked(function: FunctionFacts, kept: Mapping[str, Sequence[Kept]]) -> Iterator[tuple[Call, Kept]]:
    for call, field in completions(function):
        waits = kept.get(field, ())
        if not any(is_own(item, function, call) for item in waits):
            for item in waits[-1:]:
                yield call, item


def _completion(program: Program, function: FunctionFacts, call: Call, kept: Kept) -> Step:
    return Step(
        function=function,
        span=call.span,
        action="completes",
        target=f"self.{kept.field}",
        context=program.tasks.describe(function),
    )
