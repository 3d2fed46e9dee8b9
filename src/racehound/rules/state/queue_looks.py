"""The part of RH101 that speaks of queues: each of their operations is safe, two of them in a row are not."""

from collections.abc import Iterator

from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.meeting import Meetings
from racehound.analysis.state.queues import LOOKS, Look, looks, receiver
from racehound.model.doubt import CERTAIN, Sureness
from racehound.model.finding import Finding
from racehound.model.harm_doubts import HarmDoubt
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import Call

_RIVALS = {
    "get": "takes the last item, and `get` waits for one that nobody brings",
    "put": "fills the last place, and `put` waits until somebody takes something out",
}


def accuse_queues(rule: Rule, program: Program) -> Iterator[Finding]:
    meetings = Meetings(program)
    asking = [item for item in program.hierarchy.classes if not LOOKS.isdisjoint(item.module.callers)]
    for owner in asking:
        for function in program.hierarchy.functions(owner):
            for look in looks(program, function):
                yield _accuse(rule, program, look, _confidence(program, meetings, look))
    for module in program.modules:
        for function in module.functions if not LOOKS.isdisjoint(module.callers) else ():
            if function.owner is None:
                for look in looks(program, function):
                    sure = CERTAIN if _is_crowded(program, look) else MeetingDoubt.UNSEEN.possible
                    yield _accuse(rule, program, look, sure)


def _accuse(rule: Rule, program: Program, look: Look, confidence: Sureness) -> Finding:
    name = look.function.name
    incident = Incident(
        first=_step(program, look, look.check, "checks"),
        second=_step(program, look, look.act, "takes from" if look.method == "get" else "puts into"),
        trigger=(
            f"A thread in `{name}` has looked at `{look.place}` and is about to call `{look.method}`. Between "
            f"the two, another thread {_RIVALS[look.method]}."
        ),
        confidence=confidence,
        fields=look.place.attributes[:1],
        impact=f"Hang: `{look.method}` waits although the code has looked that it need not.",
        remedy=f"Call `{look.method}_nowait` and catch the exception, instead of looking first; or give "
        f"`{look.method}` a timeout.",
    )
    return report(rule, incident, target=str(look.place), function=name)


def _step(program: Program, look: Look, index: int, action: str) -> Step:
    event = look.function.events[index]
    return Step(
        function=look.function,
        span=event.span if isinstance(event, Call) else look.function.span,
        action=action,
        target=str(look.place),
        context=program.shared.describe(look.function),
    )


def _confidence(program: Program, meetings: Meetings, look: Look) -> Sureness:
    """Emptying a queue in a loop is most often for its only consumer, and at the end for nobody else.

    Whoever finds no room any more waits until there is some, which is what `put` is for.
    """
    function = look.function
    if look.method == "put":
        return HarmDoubt.PUT_WAITS.possible
    if TEARDOWN.match(outer_method(function).name):
        return MeetingDoubt.AT_THE_END.possible
    if meetings.confined(function) is not None:
        return MeetingDoubt.ONE_THREAD.possible
    if function.is_async and not program.contexts.of(function):
        paths, last = program.awaits.paths(function), _last_look(look)
        waits = paths.pause_between(paths.loop_end(last) or last, look.act) is not None
        return TaskDoubt.NO_TWO_TASKS.likely if waits else TaskDoubt.NO_WAIT_BETWEEN.possible
    if any(map(_is_join, function.events[: look.check])):
        return MeetingDoubt.AFTER_JOIN.possible
    in_loop = any(_looks_again(event, look) for event in function.events[look.check : look.act])
    rivals = not in_loop or _is_crowded(program, look) or _has_rival(program, meetings, look)
    return MeetingDoubt.NOT_SEEN_TOGETHER.likely if rivals else MeetingDoubt.SOLE_CONSUMER.possible


def _last_look(look: Look) -> int:
    """A loop that goes on while there is nothing looks again behind each await in it."""
    numbered = enumerate(look.function.events[look.check : look.act], look.check)
    asked = (at for at, event in numbered if isinstance(event, Call) and _is_look(event, look))
    return max(asked, default=look.check)


def _is_look(call: Call, look: Look) -> bool:
    return call.method in LOOKS and receiver(call) == look.place


def _looks_again(event: object, look: Look) -> bool:
    """True for a look that each round of a loop begins with."""
    return isinstance(event, Call) and event.loop > 0 and event.method in LOOKS and receiver(event) == look.place


def _is_crowded(program: Program, look: Look) -> bool:
    """True if several threads run the function at once and have the queue in common."""
    return program.contexts.shares(look.function, look.place)


def _is_join(event: object) -> bool:
    """True for `jobs.join()` and `thread.join()`, which are given no text to put together."""
    if not isinstance(event, Call) or event.method != "join" or event.receiver is None:
        return False
    return event.receiver.place is not None and not event.arguments


def _has_rival(program: Program, meetings: Meetings, look: Look) -> bool:
    """True if another method takes from it, and something says that the two are not steps of one consumer."""
    owner, function = look.function.owner, look.function
    others = [] if owner is None else list(program.hierarchy.effective(owner))
    return any(
        isinstance(event, Call) and event.method.startswith(look.method) and receiver(event) == look.place
        for other in others
        if owner is not None
        and outer_method(other) is not outer_method(function)
        and not meetings.certainty(owner, function, other, []).is_possible
        for event in other.events
    )
