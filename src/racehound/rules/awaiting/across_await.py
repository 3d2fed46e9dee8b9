"""The finding that RH301 and RH302 share: two operations on one field with an await in between."""

from dataclasses import dataclass

from racehound.analysis.meaning.kinds import CONTAINERS
from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.model.doubt import Sureness
from racehound.model.finding import Finding
from racehound.rules.incident import Incident, Step, report
from racehound.rules.rule import Rule
from racehound.source.events import Pause
from racehound.source.facts import ClassFacts, ModuleFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """Two uses of one field by one coroutine, the await between them, and what may happen there."""

    field: str
    first: Use
    last: Use
    pause: int
    rival: Use
    confidence: Sureness

    @property
    def target(self) -> str:
        touch = self.last.touch
        return f"{touch.place}{touch.key or ''}" if touch.key == self.first.touch.key else str(touch.place)


def is_in_place(program: Program, owner: ClassFacts | ModuleFacts, field: str, pair: tuple[Use, Use]) -> bool:
    """True for `self.seen |= await new()`: a container is changed as it is, and nothing in it is lost."""
    read, write = pair
    if read.touch.span != write.touch.span or write.touch.key is not None:
        return False
    return bool(program.fields.kinds(owner, field) & CONTAINERS)


def accuse_crossing(rule: Rule, program: Program, crossing: Crossing, trigger: str) -> Finding:
    function = crossing.last.function
    incident = Incident(
        first=_step(program, crossing.last),
        second=_step(program, crossing.first if crossing.rival is crossing.last else crossing.rival),
        trigger=trigger,
        confidence=crossing.confidence,
        fields=(crossing.field.partition(".")[0],),
        evidence=(
            _step(program, crossing.first),
            _wait(program, crossing),
            _step(program, crossing.last),
        ),
    )
    return report(rule, incident, target=crossing.target, function=function.name)


def _step(program: Program, use: Use) -> Step:
    return Step(
        function=use.function,
        span=use.touch.span,
        action=use.touch.action.value,
        target=str(use.touch.place),
        context=program.tasks.describe(use.function),
        locks=tuple(str(lock) for lock in program.locksets.named(use.locks)),
    )


def _wait(program: Program, crossing: Crossing) -> Step:
    function = crossing.last.function
    pause = function.events[crossing.pause]
    span = pause.span if isinstance(pause, Pause) else crossing.last.touch.span
    return Step(
        function=function,
        span=span,
        action="waits in",
        target=function.name,
        context=program.tasks.describe(function),
    )
