"""Measures one tool on one interpreter and writes the figures as JSON; started by tools.py."""

# ruff: noqa: PLC0415 - each environment has only one of the two tools

import asyncio
import importlib.util
import inspect
import json
import statistics
import sys
import time
import types
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from invariants import INVARIANTS
from speed import TIMED, Timed

PROGRAMS = Path(__file__).resolve().parents[2] / "tests" / "programs"
SEEDS = 20
CPU_SECONDS = 0.25
STRETCHES = 6
PATIENCE = 20.0
"""Wall seconds for one search, of either tool."""
PEER_LIMIT = 5.0
"""Wall seconds after which the peer gives up on one program."""

Figures = dict[str, object]


def load(path: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(f"program_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def programs(kind: str) -> Iterator[tuple[str, types.ModuleType]]:
    for path in sorted((PROGRAMS / kind).glob("*.py")):
        yield path.stem, load(path)


# -- racehound -------------------------------------------------------------------------------------


def racehound_speed(program: Timed) -> Figures:
    from racehound import explore

    started = time.process_time()
    result = explore(setup=program.setup, workers=program.workers, invariant=program.holds)
    verdict_cpu = time.process_time() - started
    # Identical workers are one case to the search; made different, they show what exhausting costs.
    workers = [(lambda state, worker=worker: worker(state)) for worker in program.workers]
    everything = explore(setup=program.setup, workers=workers, invariant=lambda _: True, strategy="dpor")
    return {
        "verdict": result.verdict,
        "executions": result.executions,
        "cpu": verdict_cpu,
        "unfolded": everything.executions,
        "dpor": racehound_rate(program, "dpor"),
        "random": racehound_rate(program, "random-walk"),
    }


def racehound_rate(program: Timed, strategy: str) -> float:
    """Executions per CPU-second of the search alone, nothing folded, every failure ignored."""
    from racehound.engine.explorer import Explorer
    from racehound.instrument.in_place import InPlace
    from racehound.instrument.loader import hooks_installed
    from racehound.primitives.mirrors import installed
    from racehound.strategies.limited import Limited
    from racehound.strategies.registry import Choice

    session, explorer = InPlace(), Explorer()

    def prepare() -> list[Callable[[], object]]:
        state = program.setup()
        return [lambda worker=worker: worker(state) for worker in program.workers]

    def search() -> int:
        chosen = Limited(Choice(strategy).make(), 100)
        return explorer.search(prepare, chosen, lambda _: None, seconds=PATIENCE).executions

    with hooks_installed(), installed():
        for part in (program.setup, *program.workers):
            session.include(part)
        rate = best_rate(search)
        session.restore()
    explorer.close()
    return rate


def best_rate(search: Callable[[], int]) -> float:
    """Executions per CPU-second in the best of several stretches: other work on the machine only slows down."""
    rates = []
    for _ in range(STRETCHES):
        executions = 0
        started = time.process_time()
        while time.process_time() - started < CPU_SECONDS:
            executions += search()
        rates.append(executions / (time.process_time() - started))
    return max(rates)


def racehound_bug(module: types.ModuleType) -> Figures:
    from racehound import explore

    invariant = getattr(module, "invariant", None)
    runs = [
        explore(setup=module.setup, workers=module.WORKERS, invariant=invariant, seed=seed)
        for seed in range(SEEDS)
    ]
    counts = [run.executions for run in runs]
    return {
        "found": sum(run.verdict == "race" for run in runs),
        "of": SEEDS,
        "safe": sum(run.verdict == "safe" for run in runs),
        "median": statistics.median(counts),
        "worst": max(counts),
    }


def racehound_sound(module: types.ModuleType) -> Figures:
    from racehound import explore

    started = time.process_time()
    result = explore(setup=module.setup, workers=module.WORKERS, invariant=getattr(module, "invariant", None))
    return {"verdict": result.verdict, "executions": result.executions, "cpu": time.process_time() - started}


# -- frontrun --------------------------------------------------------------------------------------


def frontrun_speed(program: Timed) -> Figures:
    import frontrun

    started = time.process_time()
    result = frontrun.explore(
        program.setup, program.workers, program.holds, reproduce_on_failure=0, total_timeout=60.0
    )
    spent = time.process_time() - started
    return {
        "verdict": {True: "holds", False: "race", None: "inconclusive"}[result.property_holds],
        "executions": result.num_explored,
        "cpu": spent,
        "dpor": frontrun_rate(program, strategy="dpor", stop_on_first=False, preemption_bound=None),
        "random": frontrun_rate(program, strategy="random", max_attempts=100),
    }


def frontrun_rate(program: Timed, **options: object) -> float:
    import frontrun

    def search() -> int:
        result = frontrun.explore(
            program.setup,
            program.workers,
            lambda _: True,
            reproduce_on_failure=0,
            total_timeout=PATIENCE,
            **options,
        )
        return int(result.num_explored)

    return best_rate(search)


def frontrun_bug(name: str, module: types.ModuleType) -> Figures | None:
    import frontrun

    invariant = getattr(module, "invariant", None) or INVARIANTS.get(name)
    if invariant is None:
        return None
    try:
        result = frontrun.explore(
            module.setup, module.WORKERS, invariant, reproduce_on_failure=0, total_timeout=PEER_LIMIT
        )
        if inspect.isawaitable(result):  # as it is where the workers are coroutines
            result = asyncio.run(awaited(result))
    except Exception as error:  # noqa: BLE001 - a worker's exception escapes from the peer; that is a way to find it
        return {"verdict": f"raised {type(error).__name__}", "executions": None}
    verdict = {True: "holds", False: "race", None: "inconclusive"}[result.property_holds]
    return {"verdict": verdict, "executions": result.num_explored}


async def awaited(result: Awaitable[Any]) -> Any:
    return await result


MEASURES: dict[tuple[str, str], Callable[..., Figures]] = {
    ("racehound", "speed"): lambda name: racehound_speed(TIMED[name]),
    ("racehound", "bugs"): lambda: {name: racehound_bug(module) for name, module in programs("racy")},
    ("racehound", "sound"): lambda: {name: racehound_sound(module) for name, module in programs("sound")},
    ("frontrun", "speed"): lambda name: frontrun_speed(TIMED[name]),
    ("frontrun", "bugs"): lambda: {name: frontrun_bug(name, module) for name, module in programs("racy")},
}


if __name__ == "__main__":
    _, tool, answer, part, *rest = sys.argv
    Path(answer).write_text(json.dumps(MEASURES[tool, part](*rest)), encoding="utf-8")
