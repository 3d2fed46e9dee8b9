"""One budget for many findings."""

from collections.abc import Callable

import pytest

from drivers.reports import finding
from racehound.model.finding import Finding
from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.pipeline.proofs import EVERYTHING, Scope
from racehound.pipeline.sharing import LEAST, SharedBudget


class Clockwork:
    """A prover that takes as long as it is told to, on a clock of its own."""

    def __init__(self, takes: Callable[[float], float]) -> None:
        self.now = 100.0
        self.given: list[float] = []
        self.scopes: list[Scope] = []
        self._takes = takes

    def clock(self) -> float:
        return self.now

    def __call__(
        self,
        _: Finding,
        /,
        *,
        budget: float,
        source_override: str | None = None,
        first: ScenarioText | None = None,
        scope: Scope = EVERYTHING,
    ) -> Proof:
        self.given.append(budget)
        self.scopes.append(scope)
        self.now += self._takes(budget)
        return Proof(verdict=Verdict.SAFE, reason=f"{source_override} {first}", executions=1)


@pytest.fixture(autouse=True)
def _one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 1)


def proofs(prover: Clockwork, *, seconds: float, count: int) -> list[Proof]:
    shared = SharedBudget(prover, seconds=seconds, count=count, clock=prover.clock)
    return [shared(finding(), budget=1000.0) for _ in range(count)]


def test_everybody_gets_the_same_share() -> None:
    prover = Clockwork(lambda budget: budget)

    proofs(prover, seconds=40, count=4)

    assert prover.given == [10.0] * 4


def test_what_one_leaves_over_is_for_the_others() -> None:
    prover = Clockwork(lambda _: 1.0)

    proofs(prover, seconds=40, count=4)

    assert prover.given == [10.0, 13.0, 19.0, 37.0]


def test_too_many_findings_leave_the_last_without_a_search_and_say_so() -> None:
    prover = Clockwork(lambda budget: budget)

    done = proofs(prover, seconds=5, count=10)

    assert prover.given == [LEAST, LEAST, 1.0]
    assert [proof.verdict for proof in done] == [Verdict.SAFE] * 3 + [Verdict.INCONCLUSIVE] * 7
    assert done[-1].reason == "the budget of 5 seconds was spent on other findings; give more with --budget"


def test_more_than_was_asked_for_is_never_given() -> None:
    prover = Clockwork(lambda _: 0.0)

    SharedBudget(prover, seconds=40, count=1, clock=prover.clock)(finding(), budget=3.0)

    assert prover.given == [3.0]


def test_processors_work_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    prover = Clockwork(lambda _: 0.0)

    SharedBudget(prover, seconds=40, count=8, clock=prover.clock)(finding(), budget=1000.0, source_override="x")

    assert prover.given == [20.0]


def test_further_searches_for_one_finding_have_what_is_left() -> None:
    prover = Clockwork(lambda _: 1.0)
    shared = SharedBudget(prover, seconds=40, count=1, clock=prover.clock)

    shared(finding(), budget=1000.0)
    shared(finding(), budget=1000.0, scope=Scope(only_first=True))

    assert prover.given == [40.0, 39.0]
    assert prover.scopes == [EVERYTHING, Scope(only_first=True)]
