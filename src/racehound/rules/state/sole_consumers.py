"""Containers that one place empties, round by round: where no thread is known to run it, one comes to do it."""

from collections.abc import Sequence

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.analysis.state.gaps import Gap
from racehound.analysis.state.hazards import REMOVERS, Hazard
from racehound.source.events import Action, Flow


def empties_alone(program: Program, gap: Gap, kind: Hazard, uses: Sequence[Use]) -> bool:
    """True for `while self.jobs: self.jobs.pop()`, where nothing else takes from the jobs."""
    if kind is not Hazard.EMPTY or not _is_asked_each_round(gap) or program.contexts.of(gap.function):
        return False
    return not any(use.function is not gap.function and _takes(use) for use in uses)


def _is_asked_each_round(gap: Gap) -> bool:
    return gap.check.at > 0 and gap.function.events[gap.check.at - 1] is Flow.LOOP


def _takes(use: Use) -> bool:
    return use.touch.action is Action.DELETE or use.touch.method in REMOVERS
