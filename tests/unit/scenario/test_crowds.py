"""Races that take three tasks or two operations of one task to show."""

from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Proof, Verdict
from racehound.pipeline.prove import prove_target
from racehound.scenario.crowds import LIMIT, crowds

SOURCE = """
    import threading

    class Circle:
        def __init__(self):
            self.a, self.b, self.c = threading.Lock(), threading.Lock(), threading.Lock()

        def first(self):
            with self.a, self.b:
                pass

        def second(self):
            with self.b, self.c:
                pass

        def third(self):
            with self.c, self.a:
                pass

    class InOrder(Circle):
        def third(self):
            with self.a, self.c:
                pass

    class WokenInVain:
        def __init__(self):
            self.changed = threading.Condition()
            self.items = []

        def put(self):
            with self.changed:
                self.items.append(1)
                self.changed.notify_all()

        def take(self):
            with self.changed:
                if not self.items:
                    self.changed.wait()
                return self.items.pop()

    class LooksAgain(WokenInVain):
        def take(self):
            with self.changed:
                while not self.items:
                    self.changed.wait()
                return self.items.pop()

    class WakesOneOfTwo(LooksAgain):
        def put(self):
            with self.changed:
                self.items.append(1)
                if len(self.items) == 1:
                    self.changed.notify()

    class InTwoSteps:
        def __init__(self):
            self.first = self.last = ""

        def rename(self):
            self.first = "a"
            self.last = "b"

        def first_name(self):
            return self.first

        def last_name(self):
            return self.last

    class Meeting:
        def __init__(self):
            self.barrier = threading.Barrier(2)
            self.lock = threading.Lock()
            self.met = 0

        def meet(self):
            self.barrier.wait()
            with self.lock:
                self.met += 1

        def count(self):
            with self.lock:
                return self.met
"""


@pytest.fixture(name="path", scope="module")
def _path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crowds") / "crowded.py"
    path.write_text(dedent(SOURCE), encoding="utf-8")
    return path


def _proven(path: Path, name: str) -> Proof:
    return prove_target(f"{path}::{name}", budget=30)


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "oracle", "tasks"),
    [
        ("Circle", "deadlock", [1, 1, 1]),
        ("WokenInVain", "exception", [1, 1, 1]),
        ("WakesOneOfTwo", "lost wake-up", [1, 1, 2]),
        ("InTwoSteps", "serial outcomes", [1, 2]),
    ],
)
def test_race_that_no_two_single_operations_show_is_found(
    path: Path, name: str, oracle: str, tasks: list[int]
) -> None:
    proof = _proven(path, name)

    assert proof.verdict is Verdict.RACE
    assert proof.oracle == oracle
    assert proof.scenario is not None
    assert [len(task) for task in proof.scenario.tasks] == tasks


@pytest.mark.slow
@pytest.mark.parametrize("name", ["InOrder", "LooksAgain"])
def test_sound_twin_is_safe(path: Path, name: str) -> None:
    assert _proven(path, name).verdict is Verdict.SAFE


@pytest.mark.slow
def test_operations_that_get_on_only_together_are_not_accused_of_being_seen_halfway(path: Path) -> None:
    proof = _proven(path, "Meeting")

    assert proof.verdict is Verdict.SAMPLED
    assert "operations that get on only together" in proof.reason


def test_crowds_of_many_operations_are_limited() -> None:
    assert len(list(crowds("None", [f"f{number}()" for number in range(20)], lambda _: False))) == LIMIT


def test_who_waits_is_raced_against_two_operations_of_one_task() -> None:
    scenarios = list(crowds("None", ["get()", "put()"], lambda call: call == "get()"))

    assert scenarios[-2].tasks == (("get()",), ("get()",), ("put()", "put()"))


def test_who_waits_only_when_nothing_is_left_is_raced_when_nothing_is_left() -> None:
    scenarios = list(crowds("None", ["get()", "put()"], lambda call: call == "get()"))

    waiting = [scenario.prefix for scenario in scenarios if scenario.tasks == (("get()",), ("get()",), ("put()",))]
    assert waiting == [(), ("get()",), ("get()", "get()"), ("get()", "get()", "get()")]
