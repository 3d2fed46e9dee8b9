"""Races scenarios until one breaks or all are exhausted, and turns what was seen into a proof."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from math import inf
from time import monotonic

from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer, Search, reason_of
from racehound.engine.workers import WorkersMatter, with_workers_told_apart_if_need_be
from racehound.errors import HarnessError, RacehoundError
from racehound.model.proof import Outcome, Proof, ScenarioText, Verdict
from racehound.model.schedule import Schedule, encode_token
from racehound.scenario.calls import SYNTAX
from racehound.scenario.collaborators import is_made_up
from racehound.scenario.confirm import Replayed, confirm, shortest
from racehound.scenario.counters import lasting_in
from racehound.scenario.crowds import is_pair
from racehound.scenario.impatience import settle_timeouts
from racehound.scenario.judge import INVARIANT, SERIAL_ORACLE, InvariantJudge, Oracle, OutcomeJudge
from racehound.scenario.one_loop import needs_loop
from racehound.scenario.outcomes import SerialOutcomes
from racehound.scenario.plan import Plan
from racehound.scenario.program import Program
from racehound.scenario.searched import Searched
from racehound.scenario.serial import NeverEnding, SetupFailed, seen_alone, serial_outcomes
from racehound.scenario.shrink import is_shortest
from racehound.scenario.snapshot import without_addresses
from racehound.scenario.stages import Seen
from racehound.scenario.steadiness import JudgeOf, search_steadily
from racehound.strategies.registry import PORTFOLIO, Choice

SHARE = 0.1
FEW_EXECUTIONS = 8
LEAST_SHARE = 0.5
"""Of the budget, and in seconds: what one scenario may take before all others had their turn."""
Relevance = Callable[[Proof], bool]
HARNESS = "harness"
"""In place of an oracle: the target could not be imported or constructed."""
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
UNSTEADY = "a failure was seen once, but running its schedule again gave another result"

NOT_AGAIN = Proof(
    verdict=Verdict.SAMPLED, reason="this schedule does not fail on the code as it is now", executions=2
)
"""What a replay ends in once the race is gone."""


class Unsteady(HarnessError):
    """The code makes choices of its own."""


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
        return not self.endless.isdisjoint((*scenario.prefix, *chain.from_iterable(scenario.tasks)))

    @property
    def never_run(self) -> list[str]:
        """Of what was to be called, why it came to nothing in any scenario: the arguments were made up badly."""
        never = [reason for name, reason in self.misfits.items() if name not in self.fitting]
        return [*never, *self.strange.values()]

    def reopened(self, deadline: float) -> Iterator[ScenarioText]:
        """The unfinished ones, as long as there is time to begin them anew."""
        for scenario in list(self.unfinished):
            if monotonic() >= deadline:
                return
            self.unfinished.remove(scenario)
            self.scenarios -= 1
            yield scenario

    def _weigh(self, search: Search, scenario: ScenarioText) -> None:
        if search.exhausted or search.failure:
            return
        if search.bound is None:
            self.unfinished.append(scenario)
            return
        self.bound = search.bound if self.bound is None else min(self.bound, search.bound)


class Prover:
    """Proves the scenarios of one target; `make_plan` brings a scenario to life."""

    def __init__(
        self,
        make_plan: Callable[[ScenarioText], Plan],
        *,
        target: dict[str, object],
        invariant: Callable[[object], object] | None = None,
        choice: Choice = PORTFOLIO,
        notice: Callable[[Trace], None] = lambda _: None,
    ) -> None:
        self._make_plan = make_plan
        self._choice = choice
        self._invariant = invariant
        self._target = target
        self._explorer = Explorer()
        self._explorer.notice = notice
        self._tally = Tally()
        self._deadline = inf
        self._at_hand: Proof | None = None
        self._searching_since: int | None = None
        """How many executions had begun when the last search did; what comes before is serial."""

    def close(self) -> None:
        self._explorer.close()

    def count(self) -> int:
        """How many executions have begun, of whatever kind."""
        return self._explorer.begun

    def has_raced(self) -> bool:
        """Whether operations have overlapped in some execution that is over."""
        since = self._searching_since
        return self._tally.executions > 0 or (since is not None and self._explorer.begun > since + 1)

    def came_to_a_result(self) -> bool:
        """Whether some operation of some scenario did."""
        return self._tally.telling

    def waited(self, call: str) -> bool:
        """Whether the operation had to wait for another one in some serial order."""
        return call in self._tally.waited

    def seen_alone(self, scenario: ScenarioText) -> Seen | None:
        """What the one call of a scenario comes to; None where it cannot be made, or time is up."""
        if monotonic() >= self._deadline or self._tally.is_endless(scenario):
            return None
        try:
            outcome = seen_alone(self._explorer, Program(self._make_plan(scenario)))
        except RacehoundError:
            return None
        return None if outcome is None else Seen(outcome.shown.results[0], frozenset(outcome.state.items()))

    def found(self) -> Proof | None:
        """A race that is known already, though not about what was asked for, or longer than it need be."""
        found = self._at_hand or self._tally.beside_the_point
        return None if found is None else replace(found, executions=self._tally.executions)

    def prove(
        self,
        scenarios: Iterable[ScenarioText],
        *,
        seconds: float,
        relevant: Relevance = lambda _: True,
        left_out: Sequence[str] = (),
        untaken: Callable[[], str | None] = lambda: None,
    ) -> Proof:
        """The first relevant race, else any race, else what can be said of all scenarios together.

        `left_out` says why something worth racing is not among the scenarios; it may grow while they are made.
        `untaken` says in the end what none of them came to.
        """
        deadline = self._deadline = monotonic() + seconds
        tally = self._tally = Tally()
        found = self._first_relevant(scenarios, tally, relevant, (deadline, max(seconds * SHARE, LEAST_SHARE)))
        if found is None:
            found = self._first_relevant(tally.reopened(deadline), tally, relevant, (deadline, seconds))
        if found is None:
            found = tally.beside_the_point
        if found is not None:
            return replace(found, executions=tally.executions)
        tally.obstacles.extend([*left_out, *(tally.never_run if tally.telling else ())])
        tally.untaken = untaken()
        return _conclude(tally, INVARIANT if self._invariant is not None else SERIAL_ORACLE)

    def _first_relevant(
        self, scenarios: Iterable[ScenarioText], tally: Tally, relevant: Relevance, time: tuple[float, float]
    ) -> Proof | None:
        """Race one after the other; `time` is when all must be over, and how long each may take."""
        deadline, share = time
        for scenario in scenarios:
            if scenario.setup in tally.hopeless or tally.is_endless(scenario):
                continue
            if monotonic() >= deadline:
                tally.cut = True
                tally.cut_among_pairs |= is_pair(scenario)
                return None
            try:
                proof = with_workers_told_apart_if_need_be(partial(self._race, scenario, tally, deadline, share))
            except SetupFailed as error:
                tally.hopeless.add(scenario.setup if not scenario.prefix else "")
                if not scenario.prefix:  # a state that cannot be reached is no reason to doubt the others
                    tally.obstacles.append(str(error))
                    tally.unmade = True
                continue
            except RacehoundError as error:
                tally.obstacles.append(str(error))
                tally.note_endless(scenario, error)
                continue
            if proof is not None and relevant(proof):
                return proof
            tally.beside_the_point = tally.beside_the_point or proof
        return None

    def _race(self, scenario: ScenarioText, tally: Tally, deadline: float, share: float) -> Proof | None:
        begun, before = monotonic(), self._explorer.begun
        program, serial = self._begun(scenario)
        each = (monotonic() - begun) / max(self._explorer.begun - before, 1)
        share = max(share, FEW_EXECUTIONS * each)  # of long ones, too, some are needed to find anything
        scenario = program.text
        if serial.says_something:
            tally.telling = True
        else:
            tally.idle.append(serial.why_not)
        searched = self._search(program, serial, tally, (deadline, share))
        search, judge, serial = searched.search, searched.judge, searched.serial or serial
        search.caveats |= (
            serial.caveats | judge.caveats | (lasting_in(program.roots()) if serial.masked else set())
        )
        tally.count(search, scenario, serial)
        if search.trace is None:
            return None
        if search.trace.ending is Ending.COMPLETE and is_shortest(search.trace):
            return self._proof_of(program, judge, serial, search.trace.schedule)
        self._at_hand = None
        with suppress(Unsteady):  # for whoever loses patience while a shorter one is looked for
            self._at_hand = self._proof_of(program, judge, serial, search.trace.schedule)
        left = max(deadline - monotonic(), LEAST_SHARE)
        schedule = shortest(self._explorer, program, judge, search.trace, seconds=left)
        if self._at_hand is not None and schedule == search.trace.schedule:
            return self._at_hand
        return self._proof_of(program, judge, serial, schedule)

    def _begun(self, scenario: ScenarioText) -> tuple[Program, SerialOutcomes]:
        """With serial outcomes; what complains of no event loop is raced on one, if that helps."""
        program = Program(self._make_plan(scenario))
        on_loop = replace(scenario, on_loop=True)
        try:
            serial = self._serial(program)
        except SetupFailed as error:
            if scenario.on_loop or not needs_loop(str(error)):
                raise
            return self._begun(on_loop)
        if scenario.on_loop or not serial.needs_loop:
            return program, serial
        try:
            hosted = self._begun(on_loop)
        except WorkersMatter:
            raise
        except RacehoundError:
            hosted = None
        if hosted is not None and (hosted[1].says_something or not hosted[1].is_refused_a_loop):
            return hosted
        program.has_no_use_for_loop = True
        return program, self._serial(program)

    def _search(
        self, program: Program, serial: SerialOutcomes, tally: Tally, time: tuple[float, float]
    ) -> Searched:
        deadline, share = time

        def search(judge: Oracle) -> Search:
            strategy = self._choice.make(program.groups)
            self._searching_since = self._explorer.begun
            left = min(share, deadline - monotonic())
            found = self._explorer.search(program.prepare, strategy, judge, seconds=left)
            again, left = self._choice.make(program.groups), deadline - monotonic()
            found = settle_timeouts(self._explorer, program.prepare, again, judge, found, seconds=left)
            tally.executions += found.executions
            if found.broken_by is not None:
                raise HarnessError(reason_of(found.broken_by))
            return found

        compared = serial if self._invariant is None else None
        judge_of: JudgeOf = lambda current: self._judge(program, current or serial)  # noqa: E731 - named for its type
        return search_steadily(self._explorer, program, compared, judge_of, search)

    def _serial(self, program: Program) -> SerialOutcomes:
        try:
            serial = serial_outcomes(self._explorer, program)
        except (RacehoundError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise SetupFailed(f"{_made_by(program.text)} raises {type(error).__name__}: {error}") from error
        return serial

    def _judge(self, program: Program, serial: SerialOutcomes) -> Oracle:
        if self._invariant is not None:
            return InvariantJudge(program, self._invariant)
        return OutcomeJudge(program, serial, self._explorer)

    def replay(self, scenario: ScenarioText, schedule: Schedule) -> Proof:
        """Run one schedule again, on the code as it is now."""
        return with_workers_told_apart_if_need_be(lambda: self._replayed(scenario, schedule))

    def _replayed(self, scenario: ScenarioText, schedule: Schedule) -> Proof:
        program = Program(self._make_plan(scenario))
        serial = self._serial(program)
        try:
            proof = self._proof_of(program, self._judge(program, serial), serial, schedule)
        except Unsteady:
            return NOT_AGAIN
        return replace(proof, executions=2)

    def _proof_of(self, program: Program, judge: Oracle, serial: SerialOutcomes, schedule: Schedule) -> Proof:
        confirmed = confirm(self._explorer, program, judge, schedule)
        if confirmed is None:
            raise Unsteady(UNSTEADY)
        return race_proof(program.text, judge, serial, confirmed, self._token(program.text, schedule))

    def _token(self, text: ScenarioText, schedule: Schedule) -> str:
        raced: dict[str, object] = {"setup": text.setup, "prefix": list(text.prefix)}
        raced |= {"tasks": [list(task) for task in text.tasks]} | ({"on_loop": True} if text.on_loop else {})
        return encode_token({"target": self._target, "scenario": raced, "schedule": schedule.to_json()})


def _made_by(text: ScenarioText) -> str:
    """What is run before the race, for a sentence."""
    return ", then ".join((text.setup, *text.prefix))


def race_proof(
    text: ScenarioText, judge: Oracle, serial: SerialOutcomes | None, confirmed: Replayed, token: str
) -> Proof:
    """The proof of a failure that came out the same twice."""
    return Proof(
        verdict=Verdict.RACE,
        reason=without_addresses(confirmed.failure or ""),
        executions=0,
        oracle=judge.oracle,
        token=token,
        timeline=confirmed.steps,
        births=confirmed.births,
        scenario=text,
        serial=tuple(_shown_beside(confirmed.outcome, serial)) if serial else (),
        outcome=confirmed.outcome,
        masked=tuple(sorted(serial.masked)) if serial else (),
    )


def _shown_beside(outcome: Outcome | None, serial: SerialOutcomes) -> Iterator[Outcome]:
    """What serial orders show, without what looks the same but needs time between operations."""
    for item in serial.observations:
        is_same = outcome is not None and replace(item.shown, order=outcome.order) == outcome
        if not (item.idle and is_same):
            yield item.shown


def up_to(bound: int) -> str:
    return f"every interleaving with at most {bound} preemptions was tried, and none beyond"


def _conclude(tally: Tally, oracle: str) -> Proof:
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
        obstacle = tally.obstacles[0] if tally.obstacles else "no operation was found that is worth racing"
        return Verdict.INCONCLUSIVE, obstacle
    if tally.cut or tally.unfinished:
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
