"""A finding is proven by its own race alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from drivers.reports import RACE, SAFE, finding
from racehound.model.finding import Confidence
from racehound.model.proof import Verdict
from racehound.pipeline.hunt import hunt
from racehound.pipeline.prove import about, prove_finding


def test_a_race_on_a_line_of_the_finding_proves_it() -> None:
    assert about(finding(12), RACE) is RACE


def test_a_race_on_its_field_elsewhere_counts_and_is_told_apart() -> None:
    proof = about(finding(900), RACE)

    assert proof == replace(RACE, reason=f"{RACE.reason}, by other uses of `_count` than those named above")


def test_a_race_of_something_else_proves_nothing() -> None:
    other = replace(finding(900), subject=replace(finding().subject, fields=("_height",)))

    proof = about(other, RACE)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert proof.reason == "the operations that could be raced show a race, but none that touches `_height`"
    assert (proof.token, proof.timeline, proof.executions) == (None, (), RACE.executions)


def test_what_is_no_race_is_left_as_it_is() -> None:
    assert about(finding(900), SAFE) is SAFE


@pytest.mark.parametrize("code", ["RH120", "RH306"])
def test_what_changes_no_outcome_is_not_refuted_by_a_search_for_outcomes(code: str) -> None:
    proof = about(replace(finding(900), rule=code), SAFE)

    assert proof.verdict is Verdict.INCONCLUSIVE
    assert proof.reason.endswith(f"but what {code} accuses changes no outcome that this would show")


def test_only_a_standstill_proves_that_somebody_waits_for_ever() -> None:
    accused = replace(finding(12), rule="RH303")
    stuck = replace(RACE, oracle="deadlock", outcome=None)

    assert about(accused, stuck) is stuck
    assert about(accused, RACE).verdict is Verdict.INCONCLUSIVE
    assert about(accused, RACE).reason.endswith("but in none of them a task waits for ever")


STOCK = """
import asyncio
import threading


class Stock:
    def __init__(self):
        self._lock = threading.Lock()
        self.count = 0

    async def add(self):
        seen = self.count
        await asyncio.sleep(0)
        self.count = seen + 1
        with self._lock:
            await asyncio.sleep(0)
"""


def test_the_search_goes_on_past_a_lost_update_to_the_standstill_that_was_accused(tmp_path: Path) -> None:
    path = tmp_path / "stock.py"
    path.write_text(STOCK, encoding="utf-8")
    findings, _, _ = hunt([path], select=["RH303"])

    assert [prove_finding(each, budget=20.0).oracle for each in findings] == ["deadlock"]


ORDER = """
import threading


class Refused(Exception):
    pass


class Order:
    NEXT = {"new": {"paid", "cancelled"}}

    def __init__(self):
        self.state = "new"
        self.history = []
        self._lock = threading.Lock()

    def _check(self, target):
        if target not in self.NEXT.get(self.state, ()):
            raise Refused(target)

    def _move(self, target):
        self._check(target)
        with self._lock:
            self.state = target
            self.history.append(target)

    def pay(self):
        self._move("paid")

    def cancel(self):
        self._move("cancelled")
"""
PLUGINS = """
import threading

_PLUGINS = {}
_lock = threading.Lock()


class Plugins:
    @staticmethod
    def register(name, plugin=object):
        if name in _PLUGINS:
            raise ValueError(name)
        with _lock:
            _PLUGINS[name] = plugin

    @staticmethod
    def create(name):
        return _PLUGINS[name]()

    @staticmethod
    def names():
        with _lock:
            return sorted(_PLUGINS)
"""


@pytest.mark.parametrize("source", [ORDER, PLUGINS])
def test_what_leads_to_an_accused_operation_is_raced(tmp_path: Path, source: str) -> None:
    path = tmp_path / "accused.py"
    path.write_text(source, encoding="utf-8")
    findings, _, _ = hunt([path], confidence=Confidence.POSSIBLE)

    assert findings
    assert {prove_finding(each, budget=20.0).verdict for each in findings} == {Verdict.RACE}
