"""Every racy program is caught, every sound one is proven safe, and no racy one is ever called safe.

The clever search is held against brute force on every program that is small enough: the same set of outcomes.
"""

import importlib
import importlib.util
import re
import sys
import types
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from racehound import explore
from racehound.engine.execution import Ending, Trace
from racehound.engine.explorer import Explorer, Search
from racehound.engine.strategy import SearchStrategy
from racehound.instrument.loader import instrumenting
from racehound.model.proof import ScenarioText
from racehound.primitives.mirrors import installed
from racehound.scenario.plan import Plan
from racehound.scenario.program import Program
from racehound.strategies.dfs import DepthFirst
from racehound.strategies.dpor import Dpor

pytestmark = pytest.mark.usefixtures("unmeasured")

Ended = tuple[Ending, tuple[tuple[str, str], ...]]

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
RACY = sorted((PROGRAMS / "racy").glob("*.py"))
SOUND = sorted((PROGRAMS / "sound").glob("*.py"))
TOO_MANY_FOR_BRUTE_FORCE = {
    "async_against_its_thread",
    "async_closed_before_read",
    "moved_between_stripes",
    "moved_under_both_locks",
    "ticket_lock",
    "version_read_apart",
    "context_of_each_thread",
    "logger_set_up_twice",
    "mapping_of_its_own",
    "queue_peeked_inside",
    "weak_registry",
    "breaker_overcounts",
    "copy_before_iteration",
    "buried",
    "dining_deadlock",
    "handmade_barrier",
    "if_instead_of_while",
    "readers_writers",
    "reorder",
    "reorder_of_eleven",
    "reorder_of_six",
    "semaphore_of_two",
    "semaphore_released_unasked",
    "semaphores_crosswise",
    "stale_read_under_lock",
    "token_bucket",
    "arguments_of_a_shared_list",
    "barrier_counts_too_late",
    "copied_and_put_back",
    "notify_one_of_two",
    "rotated_by_slices",
    "file_updated_twice",
    "settings_rewritten",
    "shelf_updated_twice",
    "transfer",
    "two_stage",
    "two_stage_of_eight",
    "async_against_thread",
    "done_callbacks",
    "least_loaded",
    "logger_level_put_back",
    "exception_in_thread",
    "pool_without_lock",
    "spin_on_wrong_flag",
    "threads_started_inside",
    "worker_threads_of_a_loop",
    "pool_of_sentinel_workers",
    "work_done_too_early",
    "first_come_as_completed",
    "closed_by_another",
    "sleeper_beside",
    "sleeper_takes_away",
    "job_waits_in_thread",
} | {
    "work_all_done",
    "sleeper_looks_on",
    "locked_counter_of_three",
    "locked_pair",
    "ordered_transfer",
    "ten_locked",
    "barrier_between_phases",
    "pool_with_lock",
    "queue_that_counts",
    "semaphore_of_one",
    "simple_queue_hand_over",
    "spin_until_set",
    "threads_joined",
}
SEEDS = (1, 2)
"""The benchmark takes twenty; the first is that of the test with the token."""


def load(path: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(f"program_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", RACY, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", SEEDS)
def test_racy_program_is_found_soon_whatever_the_seed(path: Path, seed: int) -> None:
    module = load(path)

    result = explore(
        setup=module.setup, workers=module.WORKERS, invariant=getattr(module, "invariant", None), seed=seed
    )

    assert result.verdict == "race", result.describe()
    assert result.executions <= 150


@pytest.mark.parametrize("path", RACY, ids=lambda path: path.stem)
def test_racy_program_is_found_soon_and_comes_again_with_its_token(path: Path) -> None:
    module = load(path)

    result = explore(
        setup=module.setup, workers=module.WORKERS, invariant=getattr(module, "invariant", None), seed=0
    )

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


def outcomes(explorer: Explorer, plan: Plan, strategy: SearchStrategy) -> tuple[set[Ended], Search]:
    program = Program(plan)
    seen: set[Ended] = set()

    def note(trace: Trace) -> None:
        leaves = () if trace.ending is Ending.DEADLOCK else tuple(sorted(program.observe().snapshot.items()))
        seen.add((trace.ending, leaves))

    search = explorer.search(program.prepare, strategy, note, seconds=90)
    program.restore()
    return seen, search


def with_names_exchanged(seen: set[Ended], groups: tuple[int, ...]) -> set[Ended]:
    """The outcomes together with those that differ only in which of the identical tasks is which."""
    renamings = [
        order for order in permutations(range(len(groups))) if [groups[task] for task in order] == [*groups]
    ]
    return {
        (ending, tuple(sorted((_renamed(path, order), _renamed(leaf, order)) for path, leaf in leaves)))
        for ending, leaves in seen
        for order in renamings
    }


def _renamed(text: str, order: tuple[int, ...]) -> str:
    return re.sub(r"\bresults\[(\d+)\]", lambda found: f"results[{order[int(found[1])]}]", text)


SMALL = [path for path in (*RACY, *SOUND) if path.stem not in TOO_MANY_FOR_BRUTE_FORCE]


@pytest.mark.timeout(300)
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
        folded, fewest = outcomes(explorer, plan, Dpor(plan.groups))
    del sys.modules[path.stem]

    assert all_of_it.exhausted
    assert reduced.exhausted
    assert fewest.exhausted
    assert clever == brute
    assert with_names_exchanged(folded, plan.groups) == with_names_exchanged(brute, plan.groups)
    assert fewest.executions <= reduced.executions <= all_of_it.executions
