"""`explore`: race functions of your own in this process and get a verdict."""

import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from inspect import iscoroutinefunction
from math import inf
from time import monotonic
from typing import Any, Generic, TypeVar

from racehound.engine.control import CONTROL
from racehound.engine.explorer import Explorer, Search, reason_of
from racehound.engine.workers import with_workers_told_apart_if_need_be
from racehound.errors import HarnessError, RacehoundError, UsageError
from racehound.instrument.in_place import InPlace
from racehound.instrument.loader import hooks_installed
from racehound.instrument.observed import OBSERVED
from racehound.model.proof import Proof, ScenarioText, Step, Verdict
from racehound.model.schedule import Schedule, decode_token, encode_token
from racehound.primitives.mirrors import installed
from racehound.reporters.columns import columns
from racehound.reporters.wording import executions, serial
from racehound.scenario.checkpoint import Checkpoint
from racehound.scenario.confirm import confirm, shortest
from racehound.scenario.counters import lasting_in
from racehound.scenario.impatience import settle_timeouts
from racehound.scenario.judge import InvariantJudge, Oracle, OutcomeJudge
from racehound.scenario.outcomes import SerialOutcomes
from racehound.scenario.plan import Plan
from racehound.scenario.program import Conduct, Program
from racehound.scenario.prover import NOT_AGAIN, UNSTEADY, race_proof
from racehound.scenario.searched import Searched
from racehound.scenario.serial import conductor, leaves_threads, rehearse_setup, serial_outcomes
from racehound.scenario.serial_bodies import alone
from racehound.scenario.steadiness import search_steadily
from racehound.scenario.tally import up_to
from racehound.strategies.guided import Guided
from racehound.strategies.registry import DEFAULT, Choice

State = TypeVar("State")
Worker = Callable[[State], object]
Setup = Callable[[], Coroutine[Any, Any, State]] | Callable[[], State]


PREPARING = 1.0
"""Seconds for what comes before a search, however short that may be."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """What came of racing the workers."""

    proof: Proof

    @property
    def verdict(self) -> str:
        """`race`, `safe`, `bounded`, `sampled` or `inconclusive`."""
        return self.proof.verdict.value

    @property
    def executions(self) -> int:
        return self.proof.executions

    @property
    def token(self) -> str | None:
        """Pass it to `explore(..., replay=token)` to run the failing schedule again."""
        return self.proof.token

    @property
    def failure(self) -> str | None:
        """What went wrong, if the verdict is a race."""
        return self.proof.reason if self.proof.verdict is Verdict.RACE else None

    @property
    def timeline(self) -> tuple[Step, ...]:
        return self.proof.timeline

    def assert_safe(self) -> None:
        """Raise AssertionError with the timeline unless the search was exhausted without a failure."""
        if self.proof.verdict is not Verdict.SAFE:
            raise AssertionError(self.describe())

    def describe(self, *, again: str = "") -> str:
        """Verdict, reason and, for a race, the interleaving in columns; `again` is the command that replays it."""
        proof = self.proof
        lines = [f"{proof.verdict}: {proof.reason} ({executions(proof)})", *columns(proof.timeline)]
        if proof.outcome is not None and proof.outcome.state:
            lines.extend(f"serial outcome: {item.state}" for item in serial(proof))
            lines.append(f"this outcome:   {proof.outcome.state}")
        if proof.token:
            lines.append(f"again: {again or f'explore(..., replay={proof.token!r})'}")
        return "\n".join(lines)


def explore(  # noqa: PLR0913 - one argument for each thing to say about a race
    *,
    setup: Setup[State],
    workers: Sequence[Worker[State]],
    invariant: Callable[[State], object] | None = None,
    budget: float = 10.0,
    replay: str | None = None,
    strategy: str = DEFAULT,
    seed: int = 0,
) -> Exploration:
    """Run the workers in every order that can matter and say what came of it.

    Args:
        setup: makes a fresh state; called before each execution. If it is a coroutine function, it and all workers
            run on one event loop.
        workers: functions that take what `setup` returned; they run at the same time.
        invariant: a condition on the state after all workers are done. Without it, an outcome that no serial
            order of the workers gives is a failure.
        budget: seconds after which the search stops and says so.
        replay: the token of an earlier failure; only that schedule is run.
        strategy: how to search; the default can prove safety and finds what it finds soonest.
        seed: where the strategy leaves something to chance.
    """
    choice = Choice(strategy, seed)
    if not workers:
        raise UsageError("explore needs workers", hint="pass functions that take what setup returns")
    if CONTROL.execution is not None:
        raise UsageError("explore is already at work", hint="call it from a test, not from a worker")
    with _ONE_AT_A_TIME, _under_observation(setup, workers) as session:
        race = _Race(session, setup, workers, invariant, seconds=budget)
        try:
            proof = with_workers_told_apart_if_need_be(
                lambda: race.replay(replay) if replay else race.search(choice)
            )
        except RacehoundError as error:
            proof = Proof(verdict=Verdict.INCONCLUSIVE, reason=str(error), executions=0)
        finally:
            race.close()
    if proof.verdict is Verdict.SAFE and session.unseen:
        proof = replace(proof, verdict=Verdict.SAMPLED, reason=f"{proof.reason}, but {min(session.unseen)}")
    return Exploration(proof)


_ONE_AT_A_TIME = threading.Lock()
"""Functions are exchanged for the whole process, so two explorations cannot run at once."""


@contextmanager
def _under_observation(setup: Setup[State], workers: Sequence[Worker[State]]) -> Iterator[InPlace]:
    session = InPlace()
    with hooks_installed(), installed():
        try:
            for part in (setup, *workers):
                session.include(part)
            CONTROL.discover = session.consider
            yield session
        finally:
            CONTROL.discover = None
            session.restore()


@contextmanager
def _found_and_put_back(session: InPlace) -> Iterator[None]:
    """Modules that turn out to take part while something is run are afterwards as they were when they did."""
    found: list[Checkpoint] = []

    def consider(subject: object) -> None:
        known = {id(module) for module in OBSERVED.all()}
        session.consider(subject)
        fresh = [module for module in OBSERVED.all() if id(module) not in known]
        if fresh:
            found.append(Checkpoint(fresh))

    CONTROL.discover = consider
    try:
        yield
    finally:
        CONTROL.discover = session.consider
        for checkpoint in found:
            checkpoint.restore()


class _Race(Generic[State]):
    def __init__(
        self,
        session: InPlace,
        setup: Setup[State],
        workers: Sequence[Worker[State]],
        invariant: Callable[[State], object] | None,
        *,
        seconds: float,
    ) -> None:
        self._session = session
        names = tuple((getattr(worker, "__qualname__", repr(worker)),) for worker in workers)
        name = getattr(setup, "__qualname__", repr(setup))
        text = ScenarioText(setup=name, prefix=(), tasks=names, on_loop=iscoroutinefunction(setup))
        operations: list[list[Callable[[Any], object]]] = [[worker] for worker in workers]
        self._plan = Plan(setup, operations, text, setup if iscoroutinefunction(setup) else None)
        self._invariant: Callable[[Any], object] | None = invariant  # both take what `setup` returns
        self._explorer = Explorer(seconds=seconds)
        self._deadline = monotonic() + seconds
        self._explorer.ends = max(self._deadline, monotonic() + PREPARING)
        self._conduct: Conduct | None = None
        self._opens = False

    def close(self) -> None:
        self._explorer.close()

    def _prepared(self) -> tuple[Program, SerialOutcomes | None]:
        try:
            with _found_and_put_back(self._session):
                self._session.include(self._first_state())
                self._rehearse()
            program = self._program()
            if self._invariant is not None:
                return program, None
            serial = serial_outcomes(self._explorer, program)
        except RacehoundError:
            raise
        except (Exception, SystemExit) as error:
            raise HarnessError(f"setup raises {type(error).__name__}: {error}") from error
        finally:
            self._explorer.ends = inf  # the search ends in time by itself; what confirms a race may go on
        if serial.observations and not serial.says_something:
            raise HarnessError(serial.why_not)
        return program, serial

    def _first_state(self) -> object:
        """Made on a thread of ours, where a set-up that never ends is noticed."""
        made: list[object] = []
        text = self._plan.text
        if self._plan.is_made_on_loop:
            program = Program(self._plan)
            rehearse_setup(self._explorer, program.prepare_set_up, text)
            return program.subject
        make = alone([lambda: made.append(self._plan.make())])
        trace = rehearse_setup(self._explorer, lambda: [make], text)
        self._conduct, self._opens = conductor(self._explorer, text, trace), leaves_threads(trace)
        return made[0]

    def _program(self) -> Program:
        program = Program(self._plan)
        program.conduct, program.opens = self._conduct, self._opens
        return program

    def _rehearse(self) -> None:
        """Run once to learn which modules take part, before anything is compared."""
        rehearsal = self._program()
        try:
            self._explorer.run(rehearsal.prepare, Guided([]))
        finally:
            rehearsal.restore()

    def search(self, choice: Choice) -> Proof:
        program, serial = self._prepared()

        def search(judge: Oracle) -> Search:
            left = self._deadline - monotonic()
            found = self._explorer.search(program.prepare, choice.make(program.groups), judge, seconds=left)
            again, left = choice.make(program.groups), self._deadline - monotonic()
            found = settle_timeouts(self._explorer, program.prepare, again, judge, found, seconds=left)
            if found.broken_by is not None:
                raise HarnessError(reason_of(found.broken_by))
            return found

        try:
            judge_of = partial(self._judge, program)
            return self._conclude(program, search_steadily(self._explorer, program, serial, judge_of, search))
        finally:
            program.restore()

    def _judge(self, program: Program, serial: SerialOutcomes | None) -> Oracle:
        if serial is not None:
            return OutcomeJudge(program, serial, self._explorer, must_end=True)
        return InvariantJudge(program, self._invariant or bool)

    def _conclude(self, program: Program, searched: Searched) -> Proof:
        search, judge, serial = searched.search, searched.judge, searched.serial
        if search.trace is None:
            search.caveats |= judge.caveats | (serial.caveats if serial else set())
            if serial and serial.masked:
                search.caveats |= lasting_in(program.roots())
            return _unbroken(search)
        schedule = shortest(self._explorer, program, judge, search.trace)
        return replace(self._proof(program, judge, serial, schedule), executions=search.executions)

    def replay(self, token: str) -> Proof:
        match decode_token(token):
            case {"schedule": dict(steps)}:
                program, serial = self._prepared()
                proof = self._proof(program, self._judge(program, serial), serial, Schedule.from_json(steps))
                program.restore()
                return replace(proof, executions=2) if proof.verdict is Verdict.RACE else NOT_AGAIN
        raise UsageError("this token holds no schedule", hint="copy it whole, from rh1- to its end")

    def _proof(self, program: Program, judge: Oracle, serial: SerialOutcomes | None, schedule: Schedule) -> Proof:
        confirmed = confirm(self._explorer, program, judge, schedule)
        if confirmed is None:
            return Proof(verdict=Verdict.INCONCLUSIVE, reason=UNSTEADY, executions=0)
        return race_proof(program.text, judge, serial, confirmed, encode_token({"schedule": schedule.to_json()}))


def _unbroken(search: Search) -> Proof:
    verdict, reason = _without_failure(search)
    return Proof(verdict=verdict, reason=reason, executions=search.executions)


def _without_failure(search: Search) -> tuple[Verdict, str]:
    if not search.exhausted and search.bound is None:
        return Verdict.SAMPLED, "the budget ended without a failure"
    if search.caveats:
        return Verdict.SAMPLED, f"no failure, but {min(search.caveats)}"
    if search.exhausted:
        return Verdict.SAFE, "every interleaving was tried"
    return Verdict.BOUNDED, up_to(search.bound or 0)
