"""A scenario on the plain interpreter: every run in a process of its own, so that none leaves anything behind."""

import asyncio
import json
import os
import select
import signal
import threading
import types
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from racehound.model.proof import ScenarioText
from racehound.scenario.blocks import suspend
from racehound.scenario.expressions import callable_of
from racehound.scenario.held_threads import END, HeldThread, run_turns
from racehound.scenario.parts import run_on_loop, run_whole
from racehound.scenario.plain_background import timers_on_call
from racehound.scenario.plain_parts import Result, failed
from racehound.scenario.plan import Operation, Plan, plan_of
from racehound.scenario.snapshot import Snapshot, capture
from racehound.scenario.surroundings import module_roots
from racehound.scenario.turns import Place, Script, Stops, Turn

UNHELD = "CALL"
"""Stands for the instructions of a thread that is not held."""
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
    alone: int = 0
    """How many operations of a serial order ended before one waited."""
    crowd: bool = False
    """Whether two operations waited while a third began."""


Work = Callable[[object], Coroutine[Any, Any, object]]
"""What a task does to the subject."""


class Stage:
    """An event loop for the coroutines of a run."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._loop: asyncio.AbstractEventLoop | None = None
        self.subject: object = None

    def set(self) -> None:
        """Make the subject, unless it is made on the event loop."""
        if not self._plan.is_made_on_loop:
            self.subject = self._plan.make()

    def run(self, works: Sequence[Work]) -> None:
        asyncio.run(self._together(works))

    async def _together(self, works: Sequence[Work]) -> None:
        self._loop = asyncio.get_running_loop()
        if self._plan.is_made_on_loop:
            self.subject = await made_on_loop(self._plan)
        await asyncio.gather(*(work(self.subject) for work in works))

    def where(self, here: bool) -> list[Place]:
        """The lines on which coroutines wait."""
        tasks = asyncio.all_tasks(self._loop) if here and self._loop is not None else ()
        return [place for task in tasks for place in _places(task.get_coro())]


def _places(coroutine: object) -> Iterator[Place]:
    """The lines of a coroutine and of what it awaits."""
    while isinstance(coroutine, types.CoroutineType):
        if coroutine.cr_frame is not None:
            yield coroutine.cr_frame.f_code.co_filename, coroutine.cr_frame.f_lineno
        coroutine = coroutine.cr_await


class PlainWorld:
    def __init__(self, module: types.ModuleType, text: ScenarioText, invariant: str | None) -> None:
        self._modules = [module]
        self.plan = plan_of(text, vars(module))
        self._invariant = callable_of(invariant, vars(module)) if invariant is not None else None

    @property
    def loop(self) -> int | None:
        """The number of the thread on which coroutines run, if there are any."""
        return len(self.plan.tasks) if self.plan.hosted else None

    def opening_of(self, script: Script) -> int | None:
        """The number of the thread that makes the subject, where threads that it starts take part."""
        number = len(self.plan.tasks)
        return number if self.loop is None and number in script.children else None

    def held(self, script: Script, stops: Stops, order: Sequence[int]) -> Sight | None:
        """Threads that are held as the script says; coroutines share one, and begin in this order."""
        return in_a_fork(lambda: self._held(script, stops, order))

    def on_loop(self, order: Sequence[int], *, lag: int, seconds: float) -> Sight | None:
        """Coroutines on an event loop, started so many turns after one another, and left to it for so long."""
        return in_a_fork(lambda: self._held(Script(()), (), order, lag=lag, end=seconds))

    def _held(
        self, script: Script, stops: Stops, order: Sequence[int], *, lag: int = 0, end: float = END
    ) -> Sight:
        results: list[list[Result]] = [[] for _ in self.plan.tasks]
        stage, opening = Stage(self.plan), self.opening_of(script)
        bodies: dict[int, Callable[[], object]] = {
            task: partial(self._perform, stage, task, results[task])
            for task in range(len(self.plan.tasks))
            if not self.plan.is_hosted(task)
        }
        if opening is None:
            stage.set()
        else:
            bodies[opening] = stage.set
        hosted = [
            partial(perform_all_async, self.plan.tasks[task], results=results[task], turns=lag * place)
            for place, task in enumerate(order)
        ]
        if self.loop is not None:
            bodies[self.loop] = partial(stage.run, hosted)
        with timers_on_call(set_event()):
            late, threads = run_turns(bodies, *_opened(script, stops, opening), end=end)
        waiting = {number: [*thread.where(), *stage.where(number == self.loop)] for number, thread in late.items()}
        waiting = {number: places for number, places in waiting.items() if places}
        passed = [_passed(turn, threads) if turn.task != opening else [UNHELD] for turn in script.turns]
        return self.sight(stage.subject, results, waiting=waiting, passed=passed)

    def _perform(self, stage: Stage, task: int, results: list[Result]) -> None:
        perform_all(self.plan.tasks[task], stage.subject, results)

    def sight(
        self,
        subject: object,
        results: list[list[Result]],
        *,
        waiting: dict[int, list[Place]] | None = None,
        passed: list[list[str]] | None = None,
        alone: int = 0,
        crowd: bool = False,
    ) -> Sight:
        """What is to be seen when the threads have ended or wait."""
        roots: dict[str, object] = {"state": subject, "results": results}
        for module in self._modules:
            roots.update(module_roots(module))
        raised = [repr(value) for task in results for kind, value in task if kind == "raised"]
        holds = self._invariant is None or bool(waiting) or _holds(self._invariant, subject)
        late = {str(task): places for task, places in (waiting or {}).items()}
        return Sight(capture(roots), late, raised[0] if raised else "", holds, passed or [], alone, crowd)


def _opened(script: Script, stops: Stops, opening: int | None) -> tuple[Script, Stops]:
    """Whoever makes the subject has done so before all others have their turns."""
    if opening is None:
        return script, stops
    others = [(turn, stop) for turn, stop in zip(script.turns, stops, strict=True) if turn.task != opening]
    turns = (Turn(opening), *(turn for turn, _ in others))
    return replace(script, turns=turns), (0, *(stop for _, stop in others))


def _passed(turn: Turn, threads: Mapping[int, HeldThread]) -> list[str]:
    """What the thread has on its line; if it did not come there, what another one has that did."""
    own = threads[turn.task].passed[turn.place]
    return own or max((thread.passed[turn.place] for thread in threads.values()), key=len)


def set_event() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


def _holds(invariant: Operation, subject: object) -> bool:
    try:
        holds = invariant(subject)
    except Exception:  # noqa: BLE001 - the proof says that it holds after serial orders
        return False
    return holds is None or bool(holds)


def perform_all(operations: Sequence[Operation], subject: object, results: list[Result]) -> None:
    if failed(results):
        return
    for operation in operations:
        try:
            results.append(("returned", run_whole(operation, subject)))
        except Exception as error:  # noqa: BLE001 - whatever the code under proof raises is its result
            results.append(("raised", error))
            return


async def made_on_loop(plan: Plan) -> object:
    return plan.make() if plan.make_on_loop is None else await plan.make_on_loop()


async def perform_all_async(
    operations: Sequence[Operation], subject: object, *, results: list[Result], turns: int = 0
) -> None:
    """Begin after so many turns of the loop; between the parts of an operation others have one."""
    for _ in range(turns):
        await suspend()
    for operation in operations:
        try:
            results.append(("returned", await run_on_loop(operation, subject, suspend)))
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - likewise
            results.append(("raised", error))
            return


def in_a_fork(run: Callable[[], Sight]) -> Sight | None:
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
