"""What a class does when an object is made is raced where there is no object yet."""

from pathlib import Path
from textwrap import dedent

import pytest

from racehound.model.proof import Verdict
from racehound.pipeline.prove import prove_target, replay_token
from racehound.reporters.text import render_proof

SOURCE = """
    import threading

    class Config:
        _instance = None

        def __new__(cls):
            if cls._instance is None:
                cls._instance = super().__new__(cls)
            return cls._instance

        def get(self):
            return 1

    class Guarded:
        _lock = threading.Lock()
        _instance = None

        def __new__(cls):
            with cls._lock:
                if cls._instance is None:
                    cls._instance = super().__new__(cls)
                return cls._instance

        def get(self):
            return 1

    class Once(type):
        made = {}

        def __call__(cls):
            if cls not in cls.made:
                cls.made[cls] = super().__call__()
            return cls.made[cls]

    class Service(metaclass=Once):
        def get(self):
            return 1

    class Bare:
        _instance = None

        def __new__(cls):
            if cls._instance is None:
                cls._instance = super().__new__(cls)
            return cls._instance

    class Counted:
        made = 0

        def __init__(self, name: str) -> None:
            Counted.made += 1
            self.name = name

        def show(self):
            return self.name
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made.py").write_text(dedent(SOURCE), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", ["Config", "Service", "Once", "Bare", "Counted"])
def test_making_an_object_is_raced_and_replays(name: str) -> None:
    proof = prove_target(f"made.py::{name}", budget=20)

    assert proof.verdict is Verdict.RACE
    assert proof.token is not None
    assert replay_token(proof.token).verdict is Verdict.RACE


@pytest.mark.measured_children
def test_singleton_under_a_lock_is_safe() -> None:
    assert prove_target("made.py::Guarded", budget=20).verdict is Verdict.SAFE


def test_report_says_that_equal_values_are_not_the_same_object() -> None:
    text = render_proof(prove_target("made.py::Config", budget=20), width=200, color=False)

    assert "values as in a serial order, but not the same objects" in " ".join(text.split())


def test_named_method_alone_is_raced_without_making_objects() -> None:
    assert prove_target("made.py::Config.get", budget=20).verdict is Verdict.SAFE


@pytest.mark.measured_children
def test_method_that_never_got_what_it_takes_is_not_called_safe() -> None:
    Path("register.py").write_text(
        "class Register:\n"
        "    known = {}\n\n"
        "    def add(self, item):\n"
        "        self.known[item + 1] = item\n\n"
        "    def count(self):\n"
        "        return len(self.known)\n",
        encoding="utf-8",
    )

    proof = prove_target("register.py::Register", budget=20)

    assert proof.verdict is Verdict.SAMPLED
    assert "add('a') raises TypeError: can only concatenate str" in proof.reason
