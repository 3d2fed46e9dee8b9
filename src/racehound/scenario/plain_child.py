"""The process in which a race is looked for on the plain interpreter: nothing is rewritten or replaced."""

import json
import os
import platform
import sys
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from time import monotonic

from racehound.errors import RacehoundError
from racehound.model.proof import Step
from racehound.scenario.fence import Fence
from racehound.scenario.limits import begin, limit_resources
from racehound.scenario.plain_world import PlainWorld, Sight, is_allowed
from racehound.scenario.request import Request
from racehound.scenario.target import import_target, module_name_of
from racehound.scenario.turns import Turn, choices_of_stops, turns_of

ORDERS = 24
STUCK = ("deadlock", "lost wake-up")
BROKEN = "the invariant does not hold"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a proof says."""

    request: Request
    timeline: tuple[Step, ...]
    oracle: str


class Witness:
    """Tells whether what a run shows is a violation."""

    def __init__(self, world: PlainWorld, claim: Claim) -> None:
        self._claim = claim
        self._serial, self._masked = world.serial()

    def complaint(self, sight: Sight) -> str:
        """What is wrong with a run, or nothing."""
        if sight.waiting:
            return "the threads wait for each other for ever" if self._is_stuck(sight) else ""
        if self._claim.request.invariant is not None:
            return f"a worker raises {sight.raised}" if sight.raised else "" if sight.holds else BROKEN
        if not self._serial or is_allowed(sight.snapshot, self._serial, self._masked):
            return ""
        return f"{sight.raised} is raised" if sight.raised else "no serial order gives this outcome"

    def _is_stuck(self, sight: Sight) -> bool:
        """Whether each waits where the proof says: to be slow is no deadlock."""
        last = {str(step.task): (step.path, step.line) for step in self._claim.timeline}
        there = all(last.get(task) in places for task, places in sight.waiting.items())
        return there and self._claim.oracle in STUCK and bool(self._serial)


def confirm(claim: Claim) -> tuple[bool, str]:
    """Whether the violation was seen, and a sentence about it."""
    request, turns = claim.request, turns_of(claim.timeline)
    if request.first is None or not turns:
        return False, "there is no interleaving to follow"
    if any(turn.task >= len(request.first.tasks) for turn in turns):
        return (
            False,
            "it is about a thread that the code starts itself, and only threads of the scenario can be held",
        )
    try:
        world = PlainWorld(import_target(module_name_of(Path(request.path))), request.first, request.invariant)
        witness = Witness(world, claim)
    except RacehoundError as error:
        return False, str(error)
    if world.is_mixed:
        return False, "threads and coroutines meet in it, and coroutines cannot be held"
    if world.is_on_loop:
        return _on_the_loop(world, witness, len(request.first.tasks))
    return _on_threads(world, witness, turns, request.seconds)


def _on_the_loop(world: PlainWorld, witness: Witness, tasks: int) -> tuple[bool, str]:
    """Coroutines cannot be held, so they are only started in every order."""
    for order, _ in zip(permutations(range(tasks)), range(ORDERS), strict=False):
        sight = world.on_loop(order)
        said = witness.complaint(sight) if sight is not None else ""
        if said:
            return True, f"{said}, on the plain event loop of {_interpreter()}"
    return False, f"the plain event loop of {_interpreter()} takes its turns in another order"


def _on_threads(world: PlainWorld, witness: Witness, turns: list[Turn], seconds: float) -> tuple[bool, str]:
    deadline = monotonic() + seconds / 2  # the rest is for what comes before, and for the last attempt
    rehearsal = world.held(turns, (0,) * len(turns))
    if rehearsal is None:
        return False, "the operations did not come to an end on the plain interpreter"
    attempts = 0
    for stops in choices_of_stops(turns, rehearsal.passed):
        if monotonic() > deadline:
            break
        attempts += 1
        sight = world.held(turns, stops)
        said = witness.complaint(sight) if sight is not None else ""
        if said:
            return True, f"{said}, on free-running threads of {_interpreter()}, held {_places(turns)}"
    return False, f"free-running threads of {_interpreter()} did not show it in {attempts} attempts"


def _places(turns: list[Turn]) -> str:
    held = dict.fromkeys(f"{Path(turn.path).name}:{turn.line}" for turn in turns if turn.is_held)
    return f"only at {', '.join(held)}" if held else "nowhere"


def _interpreter() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


def main() -> None:
    answer, megabytes = Path(sys.argv[1]), int(sys.argv[2])
    asked = json.loads(sys.stdin.read())
    limit_resources(megabytes)
    Fence(answer.parent).enclose()
    begin(answer)
    timeline = tuple(Step(**step) for step in asked["timeline"])
    seen, said = confirm(Claim(Request.from_json(asked["request"]), timeline, asked["oracle"]))
    unfinished = answer.with_suffix(".part")
    unfinished.write_text(json.dumps({"seen": seen, "said": said}), encoding="utf-8")
    unfinished.rename(answer)
    os._exit(0)


if __name__ == "__main__":
    main()
