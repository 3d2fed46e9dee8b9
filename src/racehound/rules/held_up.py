"""The finding that RH310 and RH311 share: one coroutine stops the loop that all of them run on."""

from collections.abc import Iterator

from racehound.analysis.blocking import Blocker
from racehound.analysis.program import Program
from racehound.model.finding import Confidence, Finding
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import Call
from racehound.source.facts import FunctionFacts


def held_up(rule: Rule, program: Program, *, primitives: bool) -> Iterator[Finding]:
    """One finding per coroutine and blocking call, at the coroutine's own line."""
    for module in program.modules:
        for function in module.functions:
            if function.is_async:
                for call, blocker in _blockers(program, function):
                    if blocker.is_primitive is primitives:
                        yield _accuse(rule, program, function, call, blocker)


def _blockers(program: Program, function: FunctionFacts) -> Iterator[tuple[Call, Blocker]]:
    direct = {id(blocker.call): blocker for blocker in program.blocking.direct(function)}
    for event in function.events:
        if not isinstance(event, Call):
            continue
        if id(event) in direct:
            yield event, direct[id(event)]
        elif program.calls.spawn(function, event) is None:
            found = program.blocking.below(function, event)
            if found is not None:
                yield event, found


def _accuse(rule: Rule, program: Program, function: FunctionFacts, call: Call, blocker: Blocker) -> Finding:
    first = Step(
        function=function,
        span=call.span,
        action=blocker.action if blocker.function is function else f"{blocker.action}, through `{call.method}`,",
        target=blocker.what,
        context=program.tasks.describe(function),
    )
    second = Step(
        function=blocker.function,
        span=blocker.call.span,
        action=blocker.action,
        target=blocker.what,
        context="the thread of the event loop",
    )
    incident = Incident(
        first=first,
        second=second,
        trigger=(
            f"While `{blocker.function.name}` {blocker.action} `{blocker.what}`, the thread of the event loop "
            "stands still: every other task, timer and connection waits with it."
        ),
        confidence=Confidence.CERTAIN if blocker.function is function else Confidence.LIKELY,
    )
    through = "" if blocker.function is function else f" through `{call.method}`"
    return report(
        rule, incident, function=function.name, what=blocker.what, action=blocker.action, through=through
    )
