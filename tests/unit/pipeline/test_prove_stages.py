"""Classes whose races show only after several different calls, or between two things that calls name."""

from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Proof, Verdict
from racehound.pipeline.prove import prove_target

ORDERS = """
    import threading

    class Orders:
        def __init__(self):
            self._states = {}
            self._lock = threading.Lock()

        def create(self, number: str):
            with self._lock:
                self._states.setdefault(number, "new")

        def pay(self, number: str):
            with self._lock:
                if self._states.get(number) == "new":
                    self._states[number] = "paid"

        def state(self, number: str):
            with self._lock:
                return self._states.get(number)

        def ship(self, number: str):
            FREE

        def refund(self, number: str):
            with self._lock:
                if self._states.get(number) != "paid":
                    return False
                self._states[number] = "refunded"
                return True
    """
RACY = """if self.state(number) != "paid":
                return False
            with self._lock:
                self._states[number] = "shipped"
            return True"""
SOUND = """with self._lock:
                if self._states.get(number) != "paid":
                    return False
                self._states[number] = "shipped"
                return True"""
BANK = """
    import threading

    class Account:
        def __init__(self):
            self.balance = 0
            self.lock = threading.Lock()

    class Bank:
        def __init__(self):
            self._accounts = {}

        def open(self, name: str):
            self._accounts.setdefault(name, Account())

        def transfer(self, source: str, target: str, amount: int):
            if source == target:
                return
            first, second = ORDER
            with self._accounts[first].lock, self._accounts[second].lock:
                self._accounts[source].balance -= amount
                self._accounts[target].balance += amount
    """


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def prove(source: str, name: str) -> Proof:
    Path("shop.py").write_text(dedent(source), encoding="utf-8")
    return prove_target(f"shop.py::{name}", budget=60)


@pytest.mark.parametrize(("ship", "verdict"), [(RACY, Verdict.RACE), (SOUND, Verdict.SAFE)])
def test_what_two_calls_lead_to_is_raced(ship: str, verdict: Verdict) -> None:
    proof = prove(ORDERS.replace("FREE", ship), "Orders")

    assert proof.verdict is verdict, proof.reason
    if verdict is Verdict.RACE:
        assert proof.scenario is not None
        assert proof.scenario.prefix == ("subject.create('a')", "subject.pay('a')")


@pytest.mark.parametrize(
    ("order", "verdict"), [("source, target", Verdict.RACE), ("sorted((source, target))", Verdict.SAFE)]
)
def test_two_things_are_taken_both_ways_round(order: str, verdict: Verdict) -> None:
    proof = prove(BANK.replace("ORDER", order), "Bank")

    assert proof.verdict is verdict, proof.reason
    if verdict is Verdict.RACE:
        assert proof.oracle == "deadlock"
