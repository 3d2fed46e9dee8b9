"""A cancellation is swallowed by a loop, or cuts a clean-up short.

`task.cancel()` raises `CancelledError` at the await where the task waits, once. A handler that catches it inside a
loop and does not leave turns the request down: the task runs on, whoever cancelled it waits for it, and a shutdown
or a timeout never ends. It shows only if the cancellation arrives at just that await.

An await inside a `finally`, a handler of the cancellation or `__aexit__` is such a place, too: a timeout, a task
group or a second `cancel()` may end the clean-up there, and what stands behind it is skipped. A lock stays taken,
a connection open, a task runs on.

Raise again, or leave the loop. A bare `except` and `except BaseException` catch the cancellation too: name the
exceptions that are meant. In a clean-up, give back first what needs no await, and put the rest under
`asyncio.shield` or into a `finally` of its own.
"""

from collections.abc import Iterator
from itertools import islice

from racehound.analysis.awaiting.cancellers import Cancellers
from racehound.analysis.awaiting.cleanups import unfinished
from racehound.analysis.awaiting.main_coroutines import is_run_on_own_loop
from racehound.analysis.awaiting.own_drivers import has_own_driver
from racehound.analysis.awaiting.swallowing import Round, cancellation, only_tells, rounds, suppressions
from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.awaiting.interrupted_cleanup import fault, interrupted
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule, once
from racehound.source.attempts import Attempt, Caught
from racehound.source.events import CHANGES, SELF, Action, Bind, Call, Exit, Pause, Place, Shape, Span, Touch
from racehound.source.facts import FunctionFacts


class SwallowedCancellation(Rule):
    meta = RuleMeta(
        code="RH312",
        name="swallowed-cancellation",
        summary="`{function}` {fault}",
        severity=Severity.ERROR,
        race_type="Swallowed Cancellation",
        impact="Hang or leak: the task cannot be cancelled, or what it held is never given back.",
        since="0.1.0",
        tags=frozenset({"asyncio"}),
    )
    bad = (
        Bad("""
            async def poll(source):
                while True:
                    try:
                        await source.update()
                    except:  # RH
                        print("will try again")
            """),
        Bad("""
            import asyncio

            async def convert(client, slots, document):
                await slots.acquire()
                try:
                    return await client.convert(document)
                finally:
                    await client.forget(document)  # RH
                    slots.release()

            async def convert_in_time(client, slots, document):
                return await asyncio.wait_for(convert(client, slots, document), 5)
            """),
    )
    good = (
        Good("""
            async def poll(source):
                while True:
                    try:
                        await source.update()
                    except Exception:
                        print("will try again")
            """),
        Good("""
            import asyncio

            async def stop(tasks):
                for task in tasks:
                    task.cancel()
                    try:
                        await task
                    except asyncio.CancelledError:
                        pass
            """),
        Good("""
            import asyncio

            async def convert(client, slots, document):
                await slots.acquire()
                try:
                    return await client.convert(document)
                finally:
                    slots.release()
                    await asyncio.shield(client.forget(document))

            async def convert_in_time(client, slots, document):
                return await asyncio.wait_for(convert(client, slots, document), 5)
            """),
    )

    def check(self, program: Program) -> Iterator[Finding]:
        cancellers = Cancellers(program)
        for module in program.modules:
            for function in module.functions:
                if function.is_async:
                    yield from once(self._swallowed(program, function))
                    yield from once(self._cleanups(program, function, cancellers))

    def _cleanups(self, program: Program, function: FunctionFacts, cancellers: Cancellers) -> Iterator[Finding]:
        for found in unfinished(program, function):
            canceller = cancellers.of(function) if found.undone is not None else None
            yield report(
                self, interrupted(program, found, canceller), function=found.function.name, fault=fault(found)
            )

    def _swallowed(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        """A `with suppress(...)` is known as an attempt, too."""
        yield from self._suppressed(program, function)
        for attempt in function.attempts:
            yield from self._attempt(program, function, attempt)

    def _attempt(self, program: Program, function: FunctionFacts, attempt: Attempt) -> Iterator[Finding]:
        pauses = [
            event
            for event in function.events[attempt.begin : attempt.end]
            if isinstance(event, Pause) and not event.yields and not _is_of_another(event)
        ]
        caught = cancellation(program, function, attempt) if pauses else None
        if caught is None or _cancels(function) or _is_left(function, caught):
            return
        span, sure = Span(caught.line, 0, caught.line, 0), _confidence(program, function, caught)
        if attempt.loop and not caught.leaves:
            yield self._accuse(program, function, (span, pauses[0]), sure)
        elif not attempt.loop and not _is_noted(function, caught) and not _ends_another(pauses[0]):
            for round_ in islice(rounds(program, function), 1):
                yield self._accuse(program, function, (span, pauses[0]), sure, round_)

    def _suppressed(self, program: Program, function: FunctionFacts) -> Iterator[Finding]:
        for span, pause in suppressions(function):
            if not _is_of_another(pause) and not _cancels(function) and _is_in_loop(function, span):
                yield self._accuse(program, function, (span, pause), _chance(program, function))

    def _accuse(
        self,
        program: Program,
        function: FunctionFacts,
        swallowed: tuple[Span, Pause],
        confidence: Sureness,
        round_: Round | None = None,
    ) -> Finding:
        span, pause = swallowed
        context = program.tasks.describe(function)
        first = Step(function=function, span=span, action="catches", target="CancelledError", context=context)
        second = Step(
            function=function, span=pause.span, action="is cancelled at", target="an await", context=context
        )
        whose = "the loop" if round_ is None else f"the loop of `{round_.function.name}`"
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"The task is cancelled while it waits at line {pause.span.line}; the handler catches that, "
                f"{whose} goes on, and the request to stop is gone."
            ),
            confidence=confidence,
            others=() if round_ is None else (round_.function,),
            impact="Hang: the task cannot be cancelled, and whoever waits for its end waits for ever.",
            remedy="Raise the cancellation again, or leave the loop. A bare `except` and `except BaseException` "
            "catch it too: name the exceptions that are meant.",
        )
        where = "in a loop" if round_ is None else f"under the loop of `{round_.function.name}`"
        fault_ = f"catches the cancellation of its task {where} and goes on"
        return report(self, incident, function=function.name, fault=fault_)


def _confidence(program: Program, function: FunctionFacts, caught: Caught) -> Sureness:
    kept = caught.keeps and not only_tells(function, caught)
    noted = not caught.raises and _notes(function, caught)  # one that raises in the end counts for itself
    if kept or noted or _is_raised_anew(function, caught):
        return TaskDoubt.REMEMBERED.possible
    if _hands_on(function, caught):
        return TaskDoubt.HANDED_ON.possible
    return _chance(program, function)


def _chance(program: Program, function: FunctionFacts) -> Sureness:
    """How sure it is that a cancellation arrives, and that the loop goes on after it, whatever catches it."""
    if _is_ended_before(program, function):
        return TaskDoubt.ENDED_BEFORE.possible
    if _waits_until_done(program, function):
        return TaskDoubt.UNTIL_DONE.possible
    if is_run_on_own_loop(program, function):
        return TaskDoubt.NOBODY_CANCELS.possible
    if _is_of_twisted(function):
        return TaskDoubt.NOT_OF_ASYNCIO.possible
    own = has_own_driver(program)
    return TaskDoubt.OWN_DRIVER.possible if own else TaskDoubt.ANY_CANCELLATION.likely


def _waits_until_done(program: Program, function: FunctionFacts) -> bool:
    """True for `while not future.done():` around the wait: it is meant to see that through, cancelled or not."""
    is_loop_test = program.awaits.paths(function).is_loop_test
    return any(is_loop_test(index) for index, _ in function.calls_of("done"))


def _is_of_twisted(function: FunctionFacts) -> bool:
    """True where nothing but Twisted runs coroutines: it cancels none by itself, as a loop does with its tasks."""
    origins = {origin.partition(".")[0] for origin in function.module.imports.values()}
    return "twisted" in origins and origins.isdisjoint({"asyncio", "anyio", "trio"})


def _is_ended_before(program: Program, function: FunctionFacts) -> bool:
    """True if whoever cancels tasks of the class first sets what the loop looks at: `self._closing = True`."""
    if function.owner is None:
        return False
    looks = {
        event.place
        for event in function.events
        if isinstance(event, Touch) and event.action is Action.CHECK and event.place.root == SELF
    }
    return any(_sets_and_cancels(method, looks) for method in program.hierarchy.functions(function.owner))


def _sets_and_cancels(method: FunctionFacts, looks: set[Place]) -> bool:
    is_set = False
    for event in method.events:
        if isinstance(event, Touch) and event.action is Action.WRITE and event.place in looks:
            is_set = is_set or all(value.shape is Shape.CONSTANT for value in event.values)
        elif isinstance(event, Call) and event.method == "cancel" and is_set:
            return True
    return False


def _is_raised_anew(function: FunctionFacts, caught: Caught) -> bool:
    """True inside a handler that raises in the end what brought it there."""
    outer = (item for attempt in function.attempts for item in attempt.handlers if item is not caught)
    return any(
        item.raises and item.events[0] <= caught.events[0] and caught.events[1] <= item.events[1] for item in outer
    )


def _hands_on(function: FunctionFacts, caught: Caught) -> bool:
    """True for `state.set_exception(sys.exc_info())`: what was caught is kept for somebody."""
    begin, end = caught.events
    return any(isinstance(event, Call) and event.method == "exc_info" for event in function.events[begin:end])


def _notes(function: FunctionFacts, caught: Caught) -> bool:
    """True if the handler sets a variable by which the loop may end."""
    begin, end = caught.events
    own = begin + caught.keeps  # the name of the exception comes first
    names = {event.name for event in function.events[own:end] if isinstance(event, Bind)}
    return any(function.loads.get(name) for name in names)


def _is_noted(function: FunctionFacts, caught: Caught) -> bool:
    """True if the handler leaves a note for the caller: it sets something, or gives back a value that says so."""
    begin, end = caught.events
    return any(
        (isinstance(event, Touch) and event.action in CHANGES)
        or (isinstance(event, Exit) and event.kind == "return" and event.value.name not in {"None", ""})
        for event in function.events[begin:end]
    )


def _is_in_loop(function: FunctionFacts, span: Span) -> bool:
    inside = (event for event in function.events if isinstance(event, Call) and event.loop)
    return any(event.span == span for event in inside)


def _is_left(function: FunctionFacts, caught: Caught) -> bool:
    """True for a handler of a Twisted coroutine that ends it by `returnValue`, which raises."""
    begin, end = caught.events
    return any(isinstance(event, Call) and event.method == "returnValue" for event in function.events[begin:end])


def _is_of_another(pause: Pause) -> bool:
    """True where a task that is there already is awaited: its cancellation may be what is caught."""
    return pause.value.shape is Shape.PLACE or pause.value.name == "shield"


def _ends_another(pause: Pause) -> bool:
    """True for `await run.terminate()`: what has been ended may answer with its own cancellation."""
    return TEARDOWN.match(pause.value.name) is not None


def _cancels(function: FunctionFacts) -> bool:
    """True if the function cancels others itself: then it is their cancellation that it expects."""
    return any(isinstance(event, Call) and event.method in {"cancel", "uncancel"} for event in function.events)
