"""The process in which a race is looked for on the plain interpreter: nothing is rewritten or replaced."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from pathlib import Path
from time import monotonic

from racehound.errors import RacehoundError
from racehound.model.proof import Birth, Step
from racehound.scenario.fence import Fence
from racehound.scenario.held_threads import END
from racehound.scenario.keeping import go_on_in_a_child
from racehound.scenario.limits import begin, limit_resources
from racehound.scenario.plain_serial import serial_sights
from racehound.scenario.plain_world import PlainWorld, Sight
from racehound.scenario.request import Request
from racehound.scenario.target import import_target, module_name_of
from racehound.scenario.turns import Script, Turn, choices_of_stops, script_of

ORDERS = 24
LAGS = 8
"""Turns of the event loop, up to which one coroutine begins after another."""
UNHELD = 4.0
"""Seconds in which coroutines that are left to their loop have to end."""
STUCK = ("deadlock", "lost wake-up")
BROKEN = "the invariant does not hold"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a proof says."""

    request: Request
    timeline: tuple[Step, ...]
    births: tuple[Birth, ...]
    oracle: str

    @property
    def script(self) -> Script:
        return script_of(self.timeline, self.births)

    @property
    def coroutines(self) -> list[int]:
        """The tasks of the scenario that share a thread, in the order of their first steps."""
        named = len(self.request.first.tasks) if self.request.first else 0
        hosted = [birth.task for birth in self.births if birth.shares_thread and birth.task < named]
        first = [step.task for step in self.timeline if step.task in hosted]
        return list(dict.fromkeys([*first, *hosted]))


class Witness:
    """Tells whether what a run shows is a violation."""

    def __init__(self, world: PlainWorld, claim: Claim) -> None:
        self._claim = claim
        self._serial = serial_sights(world)

    def complaint(self, sight: Sight) -> str:
        """What is wrong with a run, or nothing."""
        if sight.waiting:
            return "the threads wait for each other for ever" if self._is_stuck(sight) else ""
        if self._claim.request.invariant is not None:
            return f"a worker raises {sight.raised}" if sight.raised else "" if sight.holds else BROKEN
        if self._serial.allow(sight):
            return ""
        return f"{sight.raised} is raised" if sight.raised else "no serial order gives this outcome"

    def _is_stuck(self, sight: Sight) -> bool:
        """Whether each waits where the proof says: to be slow is no deadlock."""
        thread_of = {birth.task: birth.parent for birth in self._claim.births if birth.shares_thread}
        steps = self._claim.timeline
        last = {str(thread_of.get(step.task, step.task)): (step.path, step.line) for step in steps}
        shown = [last[task] in places for task, places in sight.waiting.items() if task in last]
        return any(shown) and all(shown) and self._claim.oracle in STUCK and bool(self._serial.outcomes)


def confirm(claim: Claim) -> tuple[bool, str]:
    """Whether the violation was seen, and a sentence about it."""
    request, script = claim.request, claim.script
    if request.first is None or not script.turns:
        return False, "there is no interleaving to follow"
    try:
        world = PlainWorld(import_target(module_name_of(Path(request.path))), request.first, request.invariant)
        witness = Witness(world, claim)
    except RacehoundError as error:
        return False, str(error)
    if script.taking_turns == {world.loop}:
        return _on_the_loop(world, witness, claim)
    known = {*range(len(request.first.tasks)), world.loop, world.opening_of(script)}
    if not script.taking_turns <= _holdable(script, known):
        return False, "it is about a thread of which nobody knows who starts it, and it cannot be held"
    return _on_threads(world, witness, claim)


def _holdable(script: Script, known: set[int | None]) -> set[int | None]:
    """The threads that can be held: those of the calls, and what they start."""
    for parent, children in script.children.items():
        known |= set(children) if parent in known else set()
    return known


def _on_the_loop(world: PlainWorld, witness: Witness, claim: Claim) -> tuple[bool, str]:
    """Coroutines cannot be held, so they are only started in every order, and some turns after one another."""
    seconds = END if claim.oracle in STUCK else UNHELD
    deadline = monotonic() + claim.request.left / 2
    for lag, order in product(range(LAGS), list(islice(permutations(claim.coroutines), ORDERS))):
        if lag and monotonic() > deadline:
            break
        sight = world.on_loop(order, lag=lag, seconds=seconds)
        said = witness.complaint(sight) if sight is not None else ""
        if said:
            return True, f"{said}, on the plain event loop of {_interpreter()}"
    return False, f"the plain event loop of {_interpreter()} takes its turns in another order"


def _on_threads(world: PlainWorld, witness: Witness, claim: Claim) -> tuple[bool, str]:
    script, order, turns = claim.script, claim.coroutines, claim.script.turns
    deadline = monotonic() + claim.request.left / 2  # the rest is for what comes before, and the last attempt
    rehearsal = world.held(script, (0,) * len(turns), order)
    if rehearsal is None:
        return False, "the operations did not come to an end on the plain interpreter"
    attempts = 0
    for stops in choices_of_stops(turns, rehearsal.passed):
        if monotonic() > deadline:
            break
        attempts += 1
        sight = world.held(script, stops, order)
        said = witness.complaint(sight) if sight is not None else ""
        if said:
            return True, f"{said}, on free-running threads of {_interpreter()}, held {_places(turns)}"
    return False, f"free-running threads of {_interpreter()} did not show it in {attempts} attempts"


def _places(turns: Sequence[Turn]) -> str:
    held = dict.fromkeys(f"{Path(turn.path).name}:{turn.line}" for turn in turns if turn.is_held)
    return f"only at {', '.join(held)}" if held else "nowhere"


def _interpreter() -> str:
    return f"{platform.python_implementation()} {platform.python_version()}"


def main() -> None:
    go_on_in_a_child()
    answer, megabytes = Path(sys.argv[1]), int(sys.argv[2])
    asked = json.loads(sys.stdin.read())
    limit_resources(megabytes)
    Fence(answer.parent).enclose()
    begin(answer)
    timeline = tuple(Step(**step) for step in asked["timeline"])
    births = tuple(Birth(**birth) for birth in asked["births"])
    seen, said = confirm(Claim(Request.from_json(asked["request"]), timeline, births, asked["oracle"]))
    unfinished = answer.with_suffix(".part")
    unfinished.write_text(json.dumps({"seen": seen, "said": said}), encoding="utf-8")
    unfinished.rename(answer)
    os._exit(0)


if __name__ == "__main__":
    main()
