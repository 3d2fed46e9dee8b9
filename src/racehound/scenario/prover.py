"""Races scenarios until one breaks or all are exhausted, and turns what was seen into a proof."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer, Search, reason_of
from racehound.errors import HarnessError, RacehoundError
from racehound.model.proof import Outcome, Proof, ScenarioText, Step, Verdict
from racehound.model.schedule import Schedule, encode_token
from racehound.scenario.program import Program
from racehound.scenario.serial import SerialOutcomes, serial_outcomes
from racehound.scenario.shrink import shorter_schedules
from racehound.scenario.timeline import ValueRecorder, steps_of
from racehound.strategies.dpor import Dpor
from racehound.strategies.guided import Guided
from racehound.strategies.replay import Replay

SERIAL_ORACLE = "serial outcomes"


@dataclass(slots=True)
class Tally:
    """What all scenarios together have shown so far."""

    executions: int = 0
    scenarios: int = 0
    caveats: set[str] = field(default_factory=set)
    obstacles: list[str] = field(default_factory=list)
    cut: bool = False
    serial: tuple[Outcome, ...] = ()
    scenario: ScenarioText | None = None
    masked: set[str] = field(default_factory=set)


class Prover:
    """Proves one module's scenarios; `make_program` brings a scenario to life."""

    def __init__(self, make_program: Callable[[ScenarioText], Program], *, target: dict[str, object]) -> None:
        self._make = make_program
        self._target = target
        self._explorer = Explorer()

    def close(self) -> None:
        self._explorer.close()

    def prove(self, scenarios: Iterable[ScenarioText], *, seconds: float) -> Proof:
        """The first race, or what can be said of all scenarios together."""
        deadline = time.monotonic() + seconds
        tally = Tally()
        for scenario in scenarios:
            if time.monotonic() >= deadline:
                tally.cut = True
                break
            try:
                proof = self._race(scenario, tally, deadline)
            except RacehoundError as error:
                tally.obstacles.append(str(error))
                continue
            if proof is not None:
                return replace(proof, executions=tally.executions)
        return _conclude(tally)

    def replay(self, scenario: ScenarioText, schedule: Schedule) -> Proof:
        """Run one schedule again and say what comes of it."""
        program = self._make(scenario)
        serial = _prepared(lambda: serial_outcomes(self._explorer, program))
        judge = OutcomeJudge(program, serial)
        search = Search(executions=1)
        trace = self._explorer.run(program.prepare, Replay(schedule))
        if trace.broken_by is not None:
            return Proof(verdict=Verdict.INCONCLUSIVE, reason=reason_of(trace.broken_by), executions=1)
        if judge(trace) is None:
            return Proof(verdict=Verdict.SAMPLED, reason="this schedule no longer fails", executions=1)
        return self._proof_of(program, judge, search, serial, schedule)

    def _race(self, scenario: ScenarioText, tally: Tally, deadline: float) -> Proof | None:
        program = self._make(scenario)
        serial = _prepared(lambda: serial_outcomes(self._explorer, program))
        if not serial.observations:
            raise HarnessError("the operations wait for ever in every serial order")
        if not serial.says_something:
            return None
        judge = OutcomeJudge(program, serial)
        search = self._explorer.search(program.prepare, Dpor(), judge, seconds=deadline - time.monotonic())
        tally.executions += search.executions
        if search.broken_by is not None:
            raise HarnessError(reason_of(search.broken_by))
        self._count(tally, search, scenario, serial)
        if search.trace is None:
            return None
        return self._confirm(program, judge, search, serial)

    def _count(self, tally: Tally, search: Search, scenario: ScenarioText, serial: SerialOutcomes) -> None:
        tally.scenarios += 1
        tally.caveats |= search.caveats
        tally.masked |= serial.masked
        tally.cut = tally.cut or not (search.exhausted or search.failure)
        if tally.scenario is None:
            tally.scenario = scenario
            tally.serial = tuple(item.shown for item in serial.observations)

    def _confirm(self, program: Program, judge: "OutcomeJudge", search: Search, serial: SerialOutcomes) -> Proof:
        """Shorten the failing schedule, then run it twice: only what comes out the same is called a race."""
        assert search.trace is not None  # noqa: S101 - the caller has looked
        return self._proof_of(program, judge, search, serial, self._shortest(program, judge, search.trace))

    def _proof_of(
        self, program: Program, judge: "OutcomeJudge", search: Search, serial: SerialOutcomes, schedule: Schedule
    ) -> Proof:
        first, steps, failure, outcome = self._replay(program, judge, schedule)
        second, again, _, _ = self._replay(program, judge, schedule)
        if failure is None or first != second or steps != again:
            return Proof(
                verdict=Verdict.INCONCLUSIVE,
                reason="a failure was seen once, but running its schedule again gave another result",
                executions=search.executions,
            )
        return Proof(
            verdict=Verdict.RACE,
            reason=failure,
            executions=search.executions,
            oracle=judge.oracle,
            token=self._token(program.scenario, schedule),
            timeline=steps,
            scenario=program.scenario,
            serial=tuple(item.shown for item in serial.observations),
            outcome=outcome,
            masked=tuple(sorted(serial.masked)),
        )

    def _shortest(self, program: Program, judge: "OutcomeJudge", trace: Trace) -> Schedule:
        for order in shorter_schedules(trace):
            shorter = self._explorer.run(program.prepare, Guided(order))
            if shorter.ending in (Ending.COMPLETE, Ending.DEADLOCK) and judge(shorter) is not None:
                return shorter.schedule
        return trace.schedule

    def _replay(
        self, program: Program, judge: "OutcomeJudge", schedule: Schedule
    ) -> tuple[list[object], tuple[Step, ...], str | None, Outcome | None]:
        recorder = ValueRecorder()
        trace = self._explorer.run(program.prepare, Replay(schedule), watcher=recorder)
        signature: list[object] = [(event.task, event.operation.signature()) for event in trace.events]
        failure = judge(trace) if trace.ending in (Ending.COMPLETE, Ending.DEADLOCK) else None
        outcome = None if trace.ending is Ending.DEADLOCK else program.observe(trace).shown
        return signature, steps_of(trace, recorder.values), failure, outcome

    def _token(self, scenario: ScenarioText, schedule: Schedule) -> str:
        raced = {
            "setup": scenario.setup,
            "prefix": list(scenario.prefix),
            "tasks": [list(t) for t in scenario.tasks],
        }
        return encode_token({"target": self._target, "scenario": raced, "schedule": schedule.to_json()})


class OutcomeJudge:
    """Holds an execution against the serial outcomes."""

    def __init__(self, program: Program, serial: SerialOutcomes) -> None:
        self._program = program
        self._serial = serial
        self.oracle = SERIAL_ORACLE

    def __call__(self, trace: Trace) -> str | None:
        if trace.ending is Ending.DEADLOCK:
            if self._serial.blocks:
                return None
            self.oracle = "deadlock"
            return "the tasks wait for each other for ever, which no serial order does"
        observation = self._program.observe(trace)
        if self._serial.allows(observation.snapshot):
            return None
        raised = [task.error for task in trace.tasks if task.error is not None]
        if raised and not self._raised_serially(type(raised[0]).__name__):
            self.oracle = "exception"
            return f"{type(raised[0]).__name__}: {raised[0]} is raised, which no serial order does"
        self.oracle = SERIAL_ORACLE
        return "the results and the final state are those of no serial order"

    def _raised_serially(self, name: str) -> bool:
        shown = (text for item in self._serial.observations for text in item.shown.results)
        return any(text.startswith(f"raised {name}") for text in shown)


def _prepared(run: Callable[[], SerialOutcomes]) -> SerialOutcomes:
    """Serial outcomes, where an exception of the set-up is the target's and not ours."""
    try:
        return run()
    except RacehoundError:
        raise
    except Exception as error:
        raise HarnessError(f"the scenario cannot be set up: {type(error).__name__}: {error}") from error


def _conclude(tally: Tally) -> Proof:
    def weaker(verdict: Verdict, reason: str) -> Proof:
        return Proof(
            verdict=verdict,
            reason=reason,
            executions=tally.executions,
            oracle=SERIAL_ORACLE,
            scenario=tally.scenario,
            serial=tally.serial,
            masked=tuple(sorted(tally.masked)),
        )

    if not tally.scenarios:
        reason = tally.obstacles[0] if tally.obstacles else "no operation could be called that is worth racing"
        return weaker(Verdict.INCONCLUSIVE, reason)
    if tally.cut:
        return weaker(Verdict.SAMPLED, f"the budget ended after {tally.executions} executions without a failure")
    if tally.caveats:
        return weaker(Verdict.SAMPLED, f"no failure in {tally.executions} executions, but {min(tally.caveats)}")
    plural = "scenarios" if tally.scenarios > 1 else "scenario"
    return weaker(
        Verdict.SAFE, f"{tally.executions} executions exhausted every interleaving of {tally.scenarios} {plural}"
    )
