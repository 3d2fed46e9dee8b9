"""Code without source is stopped before its instructions: its races are found, and safety is never claimed."""

import importlib
import py_compile
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from racehound import explore
from racehound.engine.carrier import CarrierPool
from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.instrument import sourceless
from racehound.strategies.guided import Guided

COUNTING = """
def current(counts):
    return counts["n"]

def increment(counts):
    counts["n"] = current(counts) + 1

def locked_increment(subject):
    with subject.lock:
        subject.n = subject.n + 1

def only_here(counts):
    return counts["n"]

def later(counts):
    yield counts

def make():
    n = 0
    def inner():
        nonlocal n
        n += 1
    return inner
"""


def made(name: str) -> Any:
    names: dict[str, Any] = {}
    exec(COUNTING, names)  # noqa: S102 - a function without source is the point
    return names[name]


class Locked:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.n = 0


def test_race_inside_a_function_made_by_exec_is_found() -> None:
    increment = made("increment")

    result = explore(setup=lambda: {"n": 0}, workers=[increment, increment])

    assert result.verdict == "race", result.describe()


def test_safety_of_a_function_without_source_is_not_claimed() -> None:
    increment = made("locked_increment")

    result = explore(setup=Locked, workers=[increment, increment], budget=60)

    assert result.verdict == "sampled", result.describe()
    assert "there is no source of it" in result.proof.reason


def test_race_inside_a_module_without_source_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "compiled_only.py"
    source.write_text(COUNTING, encoding="utf-8")
    py_compile.compile(str(source), cfile=str(tmp_path / "compiled_only.pyc"))
    source.unlink()
    monkeypatch.syspath_prepend(str(tmp_path))
    increment = importlib.import_module("compiled_only").increment

    result = explore(setup=lambda: {"n": 0}, workers=[increment, increment])

    assert result.verdict == "race", result.describe()


@pytest.mark.parametrize("name", ["later", "make"])
def test_function_that_runs_later_or_shares_variables_is_not_stopped(name: str) -> None:
    assert not sourceless.can_be_stopped(made(name))


def test_function_with_source_is_not_stopped() -> None:
    assert not sourceless.can_be_stopped(test_function_with_source_is_not_stopped)  # type: ignore[arg-type]  # a function


def test_call_outside_of_an_execution_is_plain() -> None:
    assert sourceless.StoppedCall(0, made("current"))({"n": 3}) == 3


def test_frames_of_others_are_not_stopped() -> None:
    assert sourceless.enter(sys._getframe(), "call", None) is None


def test_each_touching_instruction_is_an_operation_on_all_that_can_be_reached() -> None:
    """As the interpreter calls it, which no measurement of coverage sees."""
    stopped: list[FrameType] = []

    def keep(frame: FrameType, event: str, argument: object) -> Any:
        del argument
        stopped.append(frame)
        return keep if event == "call" else None

    def body() -> None:
        before = sys.gettrace()
        sys.settrace(keep)
        made("only_here")({"n": 1})
        sys.settrace(before)
        frame = next(frame for frame in stopped if frame.f_code.co_name == "only_here")
        assert sourceless.stop(frame, "line", None) is sourceless.stop
        for site in sorted(set(sourceless.places(frame.f_code).values())):
            execution = CONTROL.here()
            assert execution is not None
            sourceless.publish_instruction(execution, site, frame)

    pool = CarrierPool()
    trace = Execution(pool, Guided([])).run([body])
    pool.close()

    assert trace.tasks[0].error is None
    assert [event.operation.kind for event in trace.events[1:]] == ["call"]
