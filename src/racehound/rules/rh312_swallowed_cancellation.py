"""A loop catches the cancellation of its own task and goes on.

`task.cancel()` raises `CancelledError` at the await where the task waits, once. A handler that catches it inside a
loop and does not leave turns the request down: the task runs on, whoever cancelled it waits for it, and a shutdown
or a timeout never ends. It shows only if the cancellation arrives at just that await.

Raise again, or leave the loop. A bare `except` and `except BaseException` catch the cancellation too: name the
exceptions that are meant.
"""

from collections.abc import Iterator

from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.model.rule import Bad, Good, RuleMeta, Severity
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.attempts import Attempt, Caught
from racehound.source.events import SELF, Action, Bind, Call, Pause, Place, Shape, Span, Touch
from racehound.source.facts import FunctionFacts


class SwallowedCancellation(Rule):
    meta = RuleMeta(
        code="RH312",
        name="swallowed-cancellation",
        summary="The loop in `{function}` catches the cancellation of its task and goes on",
        severity=Severity.ERROR,
        race_type="Swallowed Cancellation",
        impact="Hang: the task cannot be cancelled, and whoever waits for its end waits for ever.",
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
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for module in program.modules:
            for function in module.functions:
                for attempt in function.attempts if function.is_async else ():
                    yield from self._attempt(program, function, attempt)

    def _attempt(self, program: Program, function: FunctionFacts, attempt: Attempt) -> Iterator[Finding]:
        pauses = [
            event
            for event in function.events[attempt.begin : attempt.end]
            if isinstance(event, Pause) and not event.yields and not _is_of_another(event)
        ]
        caught = _cancellation(attempt)
        if (
            pauses
            and caught is not None
            and attempt.loop
            and not (_cancels(function) or _is_left(function, caught))
        ):
            yield self._accuse(program, function, pauses[0], caught)

    def _accuse(self, program: Program, function: FunctionFacts, pause: Pause, caught: Caught) -> Finding:
        context = program.tasks.describe(function)
        first = Step(
            function=function,
            span=Span(caught.line, 0, caught.line, 0),
            action="catches",
            target="CancelledError",
            context=context,
        )
        second = Step(
            function=function, span=pause.span, action="is cancelled at", target=function.name, context=context
        )
        incident = Incident(
            first=first,
            second=second,
            trigger=(
                f"The task is cancelled while it waits at line {pause.span.line}; the handler catches that, the "
                "loop goes on, and the request to stop is gone."
            ),
            confidence=_confidence(program, function, caught),
        )
        return report(self, incident, function=function.name)


def _confidence(program: Program, function: FunctionFacts, caught: Caught) -> Confidence:
    known = caught.keeps or _notes(function, caught) or _is_raised_anew(function, caught)
    known = known or _hands_on(function, caught) or _is_ended_before(program, function) or _is_of_twisted(function)
    return Confidence.POSSIBLE if known else Confidence.LIKELY


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
    names = {event.name for event in function.events[begin:end] if isinstance(event, Bind)}
    return any(function.loads.get(name) for name in names)


def _cancellation(attempt: Attempt) -> Caught | None:
    """The handler that gets the cancellation, if it neither raises nor leaves."""
    for caught in attempt.handlers:
        if not caught.names or {"CancelledError", "BaseException"} & set(caught.names):
            return None if caught.raises or caught.leaves else caught
    return None


def _is_left(function: FunctionFacts, caught: Caught) -> bool:
    """True for a handler of a Twisted coroutine that ends it by `returnValue`, which raises."""
    begin, end = caught.events
    return any(isinstance(event, Call) and event.method == "returnValue" for event in function.events[begin:end])


def _is_of_another(pause: Pause) -> bool:
    """True where a task that is there already is awaited: its cancellation may be what is caught."""
    return pause.value.shape is Shape.PLACE or pause.value.name == "shield"


def _cancels(function: FunctionFacts) -> bool:
    """True if the function cancels others itself: then it is their cancellation that it expects."""
    return any(isinstance(event, Call) and event.method in {"cancel", "uncancel"} for event in function.events)
