"""Every racy program is caught, every sound one is proven safe, and no racy one is ever called safe.

The clever search is held against brute force on every program that is small enough: the same set of outcomes.
"""

import importlib
import importlib.util
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from racehound import explore
from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer, Search
from racehound.engine.strategy import Strategy
from racehound.instrument.loader import instrumenting
from racehound.model.proof import ScenarioText
from racehound.primitives.mirrors import installed
from racehound.scenario.program import Plan, Program
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
RACY = sorted((PROGRAMS / "racy").glob("*.py"))
SOUND = sorted((PROGRAMS / "sound").glob("*.py"))
TOO_MANY_FOR_BRUTE_FORCE = {
    "buried",
    "dining_deadlock",
    "if_instead_of_while",
    "reorder",
    "split_critical_section",
    "transfer",
    "wrong_lock",
    "async_against_thread",
    "exception_in_thread",
    "pool_without_lock",
    "spin_on_wrong_flag",
    "threads_started_inside",
} | {
    "locked_counter",
    "locked_counter_of_three",
    "waiting_consumer",
    "barrier_between_phases",
    "event_handshake",
    "pool_with_lock",
    "semaphore_of_one",
    "simple_queue_hand_over",
    "spin_until_set",
    "threads_joined",
}


def load(path: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(f"program_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", RACY, ids=lambda path: path.stem)
def test_racy_program_is_proven_racy(path: Path) -> None:
    module = load(path)

    result = explore(setup=module.setup, workers=module.WORKERS, invariant=getattr(module, "invariant", None))

    assert result.verdict == "race", result.describe()
    assert result.executions <= 150
    assert result.token is not None
    again = explore(
        setup=module.setup,
        workers=module.WORKERS,
        invariant=getattr(module, "invariant", None),
        replay=result.token,
    )
    assert (again.failure, again.timeline) == (result.failure, result.timeline)


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.stem)
def test_sound_program_is_proven_safe(path: Path) -> None:
    module = load(path)

    result = explore(setup=module.setup, workers=module.WORKERS, invariant=getattr(module, "invariant", None))

    assert result.verdict == "safe", result.describe()
    result.assert_safe()


@pytest.fixture(name="explorer")
def _explorer() -> Iterator[Explorer]:
    explorer = Explorer()
    yield explorer
    explorer.close()


def outcomes(explorer: Explorer, plan: Plan, strategy: Strategy) -> tuple[set[tuple[object, ...]], Search]:
    program = Program(plan)
    seen: set[tuple[object, ...]] = set()

    def note(trace: Trace) -> None:
        leaves = () if trace.ending is Ending.DEADLOCK else tuple(sorted(program.observe().snapshot.items()))
        seen.add((trace.ending, leaves))

    search = explorer.search(program.prepare, strategy, note, seconds=30)
    program.restore()
    return seen, search


SMALL = [path for path in (*RACY, *SOUND) if path.stem not in TOO_MANY_FOR_BRUTE_FORCE]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_reduced_search_sees_the_outcomes_of_brute_force(
    explorer: Explorer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installed(), instrumenting([PROGRAMS]):
        monkeypatch.syspath_prepend(str(path.parent))
        module = importlib.import_module(path.stem)
        text = ScenarioText(setup="", prefix=(), tasks=tuple((str(n),) for n, _ in enumerate(module.WORKERS)))
        plan = Plan(module.setup, [[worker] for worker in module.WORKERS], text)
        brute, all_of_it = outcomes(explorer, plan, DepthFirst())
        clever, reduced = outcomes(explorer, plan, Dpor())
    del sys.modules[path.stem]

    assert all_of_it.exhausted
    assert reduced.exhausted
    assert clever == brute
    assert reduced.executions <= all_of_it.executions
