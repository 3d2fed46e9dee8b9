"""A scenario on the plain interpreter: every run in a process of its own, so that none leaves anything behind."""

import asyncio
import inspect
import json
import os
import select
import signal
import types
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from racehound.model.proof import ScenarioText
from racehound.scenario.expressions import callable_of
from racehound.scenario.fold import Fold
from racehound.scenario.held_threads import run_turns
from racehound.scenario.parts import run_whole
from racehound.scenario.program import Operation, is_hosted, module_roots, plan_of
from racehound.scenario.snapshot import Snapshot, capture, differing_paths, without
from racehound.scenario.turns import Place, Stops, Turn

Result = tuple[str, object]
"""How an operation ended, and with what."""

LONGEST = 6.0
"""Seconds for one run."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What one run has shown."""

    snapshot: Snapshot
    waiting: dict[str, list[Place]]
    """Where the tasks are, by number, that did not come to their end."""
    raised: str
    holds: bool
    """What the invariant says; True where there is none."""
    passed: list[list[str]]


class PlainWorld:
    def __init__(self, module: types.ModuleType, text: ScenarioText, invariant: str | None) -> None:
        self._modules = [module]
        self._plan = plan_of(text, vars(module))
        self._invariant = callable_of(invariant, vars(module)) if invariant is not None else None

    @property
    def is_on_loop(self) -> bool:
        return all(is_hosted(task) for task in self._plan.tasks)

    @property
    def is_mixed(self) -> bool:
        return not self.is_on_loop and any(is_hosted(task) for task in self._plan.tasks)

    def held(self, turns: Sequence[Turn], stops: Stops) -> Sight | None:
        """Threads that are held as the turns say."""
        return _in_a_fork(lambda: self._held(turns, stops))

    def on_loop(self, order: Sequence[int]) -> Sight | None:
        """Coroutines on an event loop, started in this order and left to it."""
        return _in_a_fork(lambda: self._on_loop(order))

    def serial(self) -> "tuple[list[Snapshot], set[str]]":
        """The outcomes of all serial orders that come to an end, and what differs between two runs of one."""
        fold = Fold(self._plan.groups, [len(task) for task in self._plan.tasks])
        outcomes: list[Snapshot] = []
        masked: set[str] = set()
        for order in fold.orders():
            first, second = (_in_a_fork(partial(self._serial, order)) for _ in range(2))
            if first is not None and second is not None:
                masked |= differing_paths(first.snapshot, second.snapshot)
                outcomes.append(first.snapshot)
        return outcomes, masked

    def _held(self, turns: Sequence[Turn], stops: Stops) -> Sight:
        subject = self._plan.make()
        results: list[list[Result]] = [[] for _ in self._plan.tasks]

        def body(task: int) -> Callable[[], None]:
            return lambda: _perform_all(self._plan.tasks[task], subject, results[task])

        waiting, threads = run_turns([body(task) for task in range(len(results))], turns, stops)
        passed = [threads[turn.task].passed[turn.place] for turn in turns]
        return self._sight(subject, results, waiting=waiting, passed=passed)

    def _serial(self, order: Sequence[int]) -> Sight:
        """Each task has a thread of its own, as when they overlap."""
        subject = self._plan.make()
        results: list[list[Result]] = [[] for _ in self._plan.tasks]
        if self.is_on_loop:
            asyncio.run(self._one_by_one(order, subject, results))
            return self._sight(subject, results)
        threads = [ThreadPoolExecutor(max_workers=1) for _ in results]
        left = [list(task) for task in self._plan.tasks]
        for task in order:
            operation = left[task].pop(0)
            threads[task].submit(_perform_all, [operation], subject, results[task]).result()
        return self._sight(subject, results)

    def _on_loop(self, order: Sequence[int]) -> Sight:
        subject = self._plan.make()
        results: list[list[Result]] = [[] for _ in self._plan.tasks]

        async def together() -> None:
            works = (_perform_all_async(self._plan.tasks[task], subject, results[task]) for task in order)
            await asyncio.gather(*works)

        asyncio.run(together())
        return self._sight(subject, results)

    async def _one_by_one(self, order: Sequence[int], subject: object, results: list[list[Result]]) -> None:
        left = [list(task) for task in self._plan.tasks]
        for task in order:
            await _perform_all_async([left[task].pop(0)], subject, results[task])

    def _sight(
        self,
        subject: object,
        results: list[list[Result]],
        *,
        waiting: dict[int, list[Place]] | None = None,
        passed: list[list[str]] | None = None,
    ) -> Sight:
        roots: dict[str, object] = {"state": subject, "results": results}
        for module in self._modules:
            roots.update(module_roots(module))
        raised = [repr(value) for task in results for kind, value in task if kind == "raised"]
        holds = self._invariant is None or bool(waiting) or _holds(self._invariant, subject)
        late = {str(task): places for task, places in (waiting or {}).items()}
        return Sight(capture(roots), late, raised[0] if raised else "", holds, passed or [])


def _holds(invariant: Operation, subject: object) -> bool:
    try:
        holds = invariant(subject)
    except AssertionError:
        return False
    return holds is None or bool(holds)


def _perform_all(operations: Sequence[Operation], subject: object, results: list[Result]) -> None:
    if _failed(results):
        return
    for operation in operations:
        try:
            results.append(("returned", run_whole(operation, subject)))
        except Exception as error:  # noqa: BLE001 - whatever the code under proof raises is its result
            results.append(("raised", error))
            return


async def _perform_all_async(operations: Sequence[Operation], subject: object, results: list[Result]) -> None:
    if _failed(results):
        return
    for operation in operations:
        try:
            result = operation(subject)
            results.append(("returned", await result if inspect.isawaitable(result) else result))
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - likewise
            results.append(("raised", error))
            return


def _failed(results: Sequence[Result]) -> bool:
    """What an operation raises ends its task."""
    return any(kind == "raised" for kind, _ in results)


def is_allowed(snapshot: Snapshot, serial: Sequence[Snapshot], masked: set[str]) -> bool:
    seen = without(snapshot, masked)
    return any(without(outcome, masked) == seen for outcome in serial)


def _in_a_fork(run: Callable[[], Sight]) -> Sight | None:
    """What the run shows, or None where it did not come to an end in time or ended its process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = json.dumps(asdict(run())).encode()
            with open(writing, "wb") as pipe:  # noqa: PTH123 - a descriptor, not a path
                pipe.write(answer)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:  # noqa: PTH123 - likewise
        ready, _, _ = select.select([pipe], [], [], LONGEST)
        answer = pipe.read() if ready else b""
    if not answer:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return _sight_from_json(json.loads(answer)) if answer else None


def _sight_from_json(data: dict[str, Any]) -> Sight:
    late = {task: [(path, line) for path, line in places] for task, places in data.pop("waiting").items()}
    return Sight(waiting=late, **data)
