"""Races scenarios until one breaks or all are exhausted, and turns what was seen into a proof."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from math import inf
from time import monotonic

from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer, Search, reason_of
from racehound.engine.workers import WorkersMatter, with_workers_told_apart_if_need_be
from racehound.errors import HarnessError, RacehoundError
from racehound.model.proof import Outcome, Proof, ScenarioText, Verdict
from racehound.model.schedule import Schedule, encode_token
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
from racehound.scenario.serial import SetupFailed, TooSlow, seen_alone, serial_outcomes
from racehound.scenario.shrink import is_shortest
from racehound.scenario.snapshot import without_addresses
from racehound.scenario.stages import Seen
from racehound.scenario.steadiness import JudgeOf, search_steadily
from racehound.scenario.tally import Tally, conclude
from racehound.strategies.registry import PORTFOLIO, Choice

SHARE = 0.1
FEW_EXECUTIONS = 8
LEAST_SHARE = 0.5
"""Of the budget, and in seconds: what one scenario may take before all others had their turn."""
SERIAL_SHARE = 0.25
"""Of what is left of the budget: what it may take before to run its operations one after the other."""
Relevance = Callable[[Proof], bool]
UNSTEADY = "a failure was seen once, but running its schedule again gave another result"

NOT_AGAIN = Proof(
    verdict=Verdict.SAMPLED, reason="this schedule does not fail on the code as it is now", executions=2
)
"""What a replay ends in once the race is gone."""


class Unsteady(HarnessError):
    """The code makes choices of its own."""


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
        now = monotonic()
        if now >= self._deadline or self._tally.is_endless(scenario) or self._tally.puts_off(scenario):
            return None
        try:
            with self._ending_at(now + (self._deadline - now) * SERIAL_SHARE):
                outcome = seen_alone(self._explorer, Program(self._make_plan(scenario)))
        except TooSlow:
            self._tally.leave_out(scenario)
            return None
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
        return conclude(tally, INVARIANT if self._invariant is not None else SERIAL_ORACLE)

    def _first_relevant(
        self, scenarios: Iterable[ScenarioText], tally: Tally, relevant: Relevance, time: tuple[float, float]
    ) -> Proof | None:
        """Race one after the other; `time` is when all must be over, and how long each may take."""
        deadline, share = time
        for scenario in scenarios:
            if scenario.setup in tally.hopeless or tally.is_endless(scenario) or tally.puts_off(scenario):
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
            except TooSlow:
                tally.note_slow(scenario)
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
        with self._ending_at(begun + max(share, (deadline - begun) * SERIAL_SHARE)):
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

    @contextmanager
    def _ending_at(self, end: float) -> Iterator[None]:
        """Within this context no execution outlasts that moment."""
        self._explorer.ends = end
        try:
            yield
        finally:
            self._explorer.ends = inf

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
