"""A lock that is only tried for may be refused: no serial order shows that, and it is meant to happen."""

import types
from collections.abc import Callable, Iterator

import pytest

from racehound.model.proof import Proof, ScenarioText, Verdict
from racehound.scenario.plan import plan_of
from racehound.scenario.prover import Prover

Load = Callable[[str], types.ModuleType]
Prove = Callable[..., Proof]

SOURCE = """
    import threading

    class Thing:
        def __init__(self):
            self.lock = threading.Lock()
            self.reentrant = threading.RLock()
            self.places = threading.Semaphore(1)
            self.done = 0
            self.tries = 0

        def once(self):
            if not self.lock.acquire(blocking=False):
                return False
            try:
                self.done += 1
                return True
            finally:
                self.lock.release()

        def once_reentrant(self):
            if not self.reentrant.acquire(False):
                return "busy"
            try:
                self.done += 1
            finally:
                self.reentrant.release()

        def take_place(self):
            if self.places.acquire(blocking=False):
                self.done += 1
                self.places.release()

        def once_miscounted(self):
            self.tries += 1
            return self.once()
"""


@pytest.fixture(name="prove")
def _prove(load: Load) -> Iterator[Prove]:
    provers: list[Prover] = []

    def prove(*tasks: str) -> Proof:
        module = load(SOURCE)
        prover = Prover(lambda text: plan_of(text, vars(module)), target={"path": "x.py", "class": "Thing"})
        provers.append(prover)
        text = ScenarioText(setup="Thing()", prefix=(), tasks=tuple((task,) for task in tasks))
        return prover.prove([text], seconds=10.0, relevant=lambda _: True)

    yield prove
    for prover in provers:
        prover.close()


@pytest.mark.parametrize("call", ["once", "once_reentrant", "take_place"])
def test_refusal_is_no_race_but_nothing_is_proven(prove: Prove, call: str) -> None:
    proof = prove(*[f"subject.{call}()"] * 2)

    assert proof.verdict is Verdict.SAMPLED
    assert "only an invariant can tell" in proof.reason


def test_race_beside_a_refusal_is_found(prove: Prove) -> None:
    assert prove(*["subject.once_miscounted()"] * 2).verdict is Verdict.RACE


def test_many_tasks_that_try_are_not_accused_either(prove: Prove) -> None:
    assert prove(*["subject.once()"] * 4).verdict is Verdict.SAMPLED
