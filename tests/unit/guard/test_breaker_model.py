"""The breaker beside a model of it: whatever is done to both, they agree.

The model is written for being read: mutable, one name, no versions, permits as a list of those still valid.
"""

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from drivers.breaker import Clock
from racehound.guard import CircuitBreaker, Permit

NAME = "backend"
THRESHOLD, OPEN_SECONDS, PROBES, NEEDED, LEASE, CEILING = 3, 10.0, 2, 2, 7.0, 40.0


@dataclass(eq=False)
class Leave:
    """A permit as the model sees it."""

    probe: bool = False
    deadline: float = 0.0


@dataclass
class Model:
    state: str = "closed"
    failures: int = 0
    openings: int = 0
    until: float = 0.0
    good_probes: int = 0
    valid: list[Leave] = field(default_factory=list)

    def enter(self, state: str) -> None:
        self.state = state
        self.valid = []
        self.good_probes = 0
        if state not in {"open", "half-open"}:
            self.openings = self.failures = 0

    def open(self, now: float) -> None:
        self.enter("open")
        self.until = now + min(OPEN_SECONDS * 2.0**self.openings, CEILING)
        self.openings += 1

    def refuses(self, now: float) -> bool:
        if self.state == "half-open":
            return sum(leave.deadline > now for leave in self.valid) >= PROBES
        return self.state == "forced-open" or (self.state == "open" and now < self.until)

    def admit(self, now: float) -> Leave | None:
        if self.refuses(now):
            return None
        if self.state == "open":
            self.enter("half-open")
        if self.state == "half-open":
            self.valid = [leave for leave in self.valid if leave.deadline > now]
        leave = Leave(probe=self.state == "half-open", deadline=now + LEASE)
        self.valid.append(leave)
        return leave

    def judge(self, leave: Leave, now: float, *, good: bool) -> None:
        if leave not in self.valid:
            return
        self.valid.remove(leave)
        if good:
            self.succeed(probe=leave.probe)
        else:
            self.fail(now, probe=leave.probe)

    def succeed(self, *, probe: bool) -> None:
        if not probe:
            self.failures = 0
            return
        self.good_probes += 1
        if self.good_probes == NEEDED:
            self.enter("closed")

    def fail(self, now: float, *, probe: bool) -> None:
        if self.state == "disabled":
            return
        self.failures += 1
        if probe or (self.state == "closed" and self.failures >= THRESHOLD):
            self.open(now)

    def give_back(self, leave: Leave) -> None:
        if leave.probe and leave in self.valid:
            self.valid.remove(leave)


class BreakerBesideModel(RuleBasedStateMachine):
    permits = Bundle("permits")

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.model = Model()
        self.breaker = CircuitBreaker(
            THRESHOLD,
            open_seconds=OPEN_SECONDS,
            backoff=2.0,
            max_open_seconds=CEILING,
            half_open_probes=PROBES,
            success_threshold=NEEDED,
            probe_seconds=LEASE,
            clock=self.clock,
        )

    @rule(target=permits)
    def admit(self) -> tuple[Permit | None, Leave | None]:
        permit, leave = self.breaker.allow(NAME), self.model.admit(self.clock())
        assert (permit is None) == (leave is None)
        return permit, leave

    @rule(pair=consumes(permits), good=st.booleans())
    def judge(self, pair: tuple[Permit | None, Leave | None], *, good: bool) -> None:
        permit, leave = pair
        if permit is None or leave is None:
            return
        self.model.judge(leave, self.clock(), good=good)
        if good:
            permit.success()
        else:
            permit.failure()

    @rule(pair=consumes(permits))
    def cancel(self, pair: tuple[Permit | None, Leave | None]) -> None:
        permit, leave = pair
        if permit is not None and leave is not None:
            permit.cancel()
            self.model.give_back(leave)

    @rule()
    def record_failure(self) -> None:
        self.breaker.record_failure(NAME)
        leave = self.model.admit(self.clock())
        if leave is None:
            self.model.failures += 1
        else:
            self.model.judge(leave, self.clock(), good=False)

    @rule()
    def record_success(self) -> None:
        self.breaker.record_success(NAME)
        leave = self.model.admit(self.clock())
        if leave is not None:
            self.model.judge(leave, self.clock(), good=True)

    @rule(seconds=st.sampled_from([0.5, 3.0, 7.0, 10.0, 25.0]))
    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)

    @rule(state=st.sampled_from(["closed", "forced-open", "disabled", "metrics-only"]))
    def decide_by_hand(self, state: str) -> None:
        order = {
            "closed": self.breaker.reset,
            "forced-open": self.breaker.force_open,
            "disabled": self.breaker.disable,
            "metrics-only": self.breaker.only_measure,
        }
        order[state](NAME)
        self.model.enter(state)

    @invariant()
    def they_agree(self) -> None:
        shot = self.breaker.snapshot(NAME)
        assert (shot.state, shot.failures) == (self.model.state, self.model.failures)
        assert self.breaker.is_open(NAME) == self.model.refuses(self.clock())


BreakerBesideModel.TestCase.settings = settings(
    max_examples=80, stateful_step_count=40, deadline=None, database=None
)
test_the_breaker_agrees_with_its_model = BreakerBesideModel.TestCase
