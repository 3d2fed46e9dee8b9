"""What all scenarios of one target together have shown, and the verdict that this comes to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from time import monotonic

from racehound.engine.explorer import Search
from racehound.errors import RacehoundError
from racehound.model.proof import Outcome, Proof, ScenarioText, Verdict
from racehound.scenario.calls import SYNTAX
from racehound.scenario.collaborators import is_made_up
from racehound.scenario.crowds import is_pair
from racehound.scenario.outcomes import SerialOutcomes
from racehound.scenario.serial import TOO_SLOW, NeverEnding

HARNESS = "harness"
"""In place of an oracle: the target could not be imported or constructed."""
NOTHING_TO_RACE = "no operation was found that is worth racing"
MISFITS = ("raised AttributeError", "raised TypeError")
STOOD_IN = "an object that the code is given was made up: what the real one does was not raced"
_PLAIN = "str|int|float|bytes|function|dict|list|tuple|set"
_OF_PLAIN_VALUE = re.compile(
    rf"raised (?:AttributeError: '(?:{_PLAIN})' object has no attribute "
    rf"|TypeError: '(?:{_PLAIN})' object is not (?:callable|subscriptable|iterable)"
    rf"|TypeError: object (?:{_PLAIN}|NoneType) can't be used in 'await' expression)"
)
REFUSABLE = frozenset({SYNTAX["__getattr__"]})
"""Calls that may well raise these, whatever they are given: nobody promises that there is any attribute."""


@dataclass(slots=True)
class Tally:
    """What all scenarios together have shown so far."""

    executions: int = 0
    scenarios: int = 0
    unfinished: list[ScenarioText] = field(default_factory=list)
    """Those whose search was cut short."""
    caveats: set[str] = field(default_factory=set)
    obstacles: list[str] = field(default_factory=list)
    masked: set[str] = field(default_factory=set)
    cut: bool = False
    unmade: bool = False
    """The subject could not even be made."""
    endless: set[str] = field(default_factory=set)
    """Calls that do not come to an end."""
    slow: dict[frozenset[str], ScenarioText] = field(default_factory=dict)
    """Calls that took too long one after the other, each with a scenario to come back to."""
    hopeless: set[str] = field(default_factory=set)
    """Set-ups that cannot be run."""
    telling: bool = False
    """Some operation came to a result in some scenario."""
    idle: list[str] = field(default_factory=list)
    """Why the others had none."""
    beside_the_point: Proof | None = None
    """The first race that is about something else than was asked for."""
    bound: int | None = None
    """The fewest preemptions up to which a scenario was tried, where a bound is all there is."""
    misfits: dict[str, str] = field(default_factory=dict)
    """What is called, and how it complains that it was given something else than it takes."""
    strange: dict[str, str] = field(default_factory=dict)
    """What is called, and how something made up was not what it should have been, if only now and then."""
    fitting: set[str] = field(default_factory=set)
    """What was called and did not, at least once."""
    cut_among_pairs: bool = False
    untaken: str | None = None
    """What no scenario came to."""
    on_loop: bool = False
    waited: set[str] = field(default_factory=set)
    """What had to wait for something else in some serial order."""
    scenario: ScenarioText | None = None
    serial: tuple[Outcome, ...] = ()
    """Of the first scenario."""

    def count(self, search: Search, scenario: ScenarioText, serial: SerialOutcomes) -> None:
        self.scenarios += 1
        self.on_loop |= scenario.on_loop
        self.caveats |= search.caveats
        if any(map(is_made_up, (scenario.setup, *scenario.prefix, *chain.from_iterable(scenario.tasks)))):
            self.caveats.add(STOOD_IN)
        self.masked |= serial.masked
        self._weigh(search, scenario)
        self._note_misfits(scenario, serial)
        tasks = scenario.tasks
        self.waited |= {tasks[task][0] for _, task in serial.waits if len(tasks[task]) == 1}
        if self.scenario is None:
            self.scenario = scenario
            self.serial = tuple(item.shown for item in serial.observations)

    def _note_misfits(self, scenario: ScenarioText, serial: SerialOutcomes) -> None:
        calls = [task[0] for task in scenario.tasks if len(task) == 1]
        for item in serial.observations:
            for call, result in zip(calls, item.shown.results, strict=False):
                name = call.partition("(")[0]
                if _OF_PLAIN_VALUE.match(result) and call not in REFUSABLE:
                    self.strange.setdefault(name, f"{call} {result.replace('raised', 'raises', 1)} in some order")
                if result.startswith(MISFITS) and call not in REFUSABLE:
                    self.misfits.setdefault(name, f"{call} {result.replace('raised', 'raises', 1)}")
                else:
                    self.fitting.add(name)

    def note_endless(self, scenario: ScenarioText, error: RacehoundError) -> None:
        """What does not end against itself need not be tried against others."""
        calls = set(chain.from_iterable(scenario.tasks))
        if isinstance(error, NeverEnding) and len(calls) == 1 and not scenario.prefix:
            self.endless |= calls

    def is_endless(self, scenario: ScenarioText) -> bool:
        return not self.endless.isdisjoint(_calls_of(scenario))

    def note_slow(self, scenario: ScenarioText) -> None:
        """Others may be quicker: it is taken up again when all of them are done."""
        self.slow.setdefault(frozenset(chain.from_iterable(scenario.tasks)), scenario)

    def leave_out(self, scenario: ScenarioText) -> None:
        """There was no time for its calls, and will not be."""
        self.endless |= _calls_of(scenario)
        self.cut = True

    def puts_off(self, scenario: ScenarioText) -> bool:
        """Whether it holds calls that were slow already; that it was left out is remembered."""
        is_slow = any(calls <= _calls_of(scenario) for calls in self.slow)
        self.cut |= is_slow
        return is_slow

    @property
    def never_run(self) -> list[str]:
        """Of what was to be called, why it came to nothing in any scenario: the arguments were made up badly."""
        never = [reason for name, reason in self.misfits.items() if name not in self.fitting]
        return [*never, *self.strange.values()]

    def reopened(self, deadline: float) -> Iterator[ScenarioText]:
        """The unfinished ones and the slow ones, as long as there is time to begin them anew."""
        for scenario in list(self.unfinished):
            if monotonic() >= deadline:
                return
            self.unfinished.remove(scenario)
            self.scenarios -= 1
            yield scenario
        for calls, scenario in list(self.slow.items()):
            if monotonic() >= deadline:
                return
            del self.slow[calls]
            yield scenario

    def _weigh(self, search: Search, scenario: ScenarioText) -> None:
        if search.exhausted or search.failure:
            return
        if search.bound is None:
            self.unfinished.append(scenario)
            return
        self.bound = search.bound if self.bound is None else min(self.bound, search.bound)


def _calls_of(scenario: ScenarioText) -> set[str]:
    return {*scenario.prefix, *chain.from_iterable(scenario.tasks)}


def up_to(bound: int) -> str:
    return f"every interleaving with at most {bound} preemptions was tried, and none beyond"


def conclude(tally: Tally, oracle: str) -> Proof:
    verdict, reason = _without_failure(tally)
    return Proof(
        verdict=verdict,
        reason=reason,
        executions=tally.executions,
        oracle=oracle if tally.scenarios or not tally.unmade else HARNESS,
        scenario=tally.scenario,
        serial=tally.serial,
        masked=tuple(sorted(tally.masked)),
    )


def _without_failure(tally: Tally) -> tuple[Verdict, str]:
    if tally.scenarios and not tally.telling and not tally.obstacles:
        return Verdict.INCONCLUSIVE, tally.idle[0]
    if not tally.scenarios:
        too_slow = [TOO_SLOW] if tally.slow else []
        return Verdict.INCONCLUSIVE, [*tally.obstacles, *too_slow, NOTHING_TO_RACE][0]
    if tally.cut or tally.unfinished or tally.slow:
        ended = f"the budget ended after {tally.executions} executions without a failure"
        pairs_left = tally.cut_among_pairs or any(map(is_pair, tally.unfinished))
        return Verdict.SAMPLED, ended if pairs_left else f"{ended}, among larger scenarios than two calls"
    if tally.caveats:
        return Verdict.SAMPLED, f"no failure in {tally.executions} executions, but {min(tally.caveats)}"
    if tally.obstacles:
        return (
            Verdict.SAMPLED,
            f"no failure in {tally.executions} executions, but not all could be run: {tally.obstacles[0]}",
        )
    if tally.untaken is not None:
        say = "say with --op which calls bring that about"
        return Verdict.SAMPLED, f"no failure in {tally.executions} executions, but {tally.untaken}: {say}"
    if tally.bound is not None:
        return Verdict.BOUNDED, up_to(tally.bound)
    plural = ("scenarios" if tally.scenarios > 1 else "scenario") + (" on one event loop" if tally.on_loop else "")
    runs = "execution" if tally.executions == 1 else "executions"
    exhausted = f"{tally.executions} {runs} exhausted every interleaving of {tally.scenarios} {plural}"
    return Verdict.SAFE, exhausted
