"""A scenario brought to life: fresh state and bodies for each execution, and the outcome afterwards."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import StrandSlot, Trace
from racehound.engine.trace import Later
from racehound.instrument.observed import OBSERVED
from racehound.model.proof import Outcome
from racehound.primitives.hosting import Hosted, Job, Work, forget_current_loops
from racehound.scenario.blocks import Blocks, Hold, Meetings, suspend
from racehound.scenario.expressions import listeners_in
from racehound.scenario.fold import Fold
from racehound.scenario.holding import is_reachable
from racehound.scenario.parts import PAUSE, InParts, note_unawaited, parts_of, run_on_loop, run_whole
from racehound.scenario.plan import Operation, Plan
from racehound.scenario.render import is_lock, render
from racehound.scenario.said import Said
from racehound.scenario.scratch import Scratch
from racehound.scenario.sections import Sections
from racehound.scenario.serial_bodies import (
    USUAL,
    AsyncPerform,
    GatedJob,
    HostedInTurns,
    Manner,
    Opening,
    Turns,
    alone,
    fails,
    refused,
    thread_body,
)
from racehound.scenario.snapshot import Snapshot, capture, state_in, without_addresses
from racehound.scenario.surroundings import Surroundings, module_roots

Conduct = Callable[[Callable[[], object]], object]


MOMENT: Final = 2**-10
"""Seconds between the set-up and the race: what was noted down there lies in the past."""


@dataclass(frozen=True, slots=True)
class Observation:
    """An outcome in both forms: to compare and to show."""

    snapshot: Snapshot
    shown: Outcome
    met: Meetings
    """Which of the operations stood at their pauses at once."""
    rebound: frozenset[str] = frozenset()
    """Names of modules, classes and functions that stand for something made since."""
    is_whole: bool = True
    """Whether nothing came between the parts of an operation."""
    idle: float = 0.0
    """The seconds that passed between operations."""
    said: Said = ()
    """What was printed and logged."""

    @property
    def state(self) -> Snapshot:
        """What is left, without what was returned or raised."""
        return state_in(self.snapshot)


class Program:
    """Prepares executions of one plan and observes what they leave."""

    def __init__(self, plan: Plan) -> None:
        self.text = plan.text
        self._plan = plan
        self._surroundings = plan.surroundings or Surroundings.here()
        self._scratch = Scratch()
        self.subject: object = None
        self.opens = False
        """Whether the set-up is part of each execution, since threads that it starts go on."""
        self.conduct: Conduct | None = None
        """Runs a set-up under control, and the threads that it starts to their end; None where it starts none."""
        self.has_no_use_for_loop = False
        """Whether operations that complain of no event loop come to nothing on one, too."""
        self._results: list[list[object]] = []
        self._turns = Turns(0, 0)
        self._first = 0
        self._refused: frozenset[int] = frozenset()
        self.groups = plan.groups
        self._passed: list[int] = []
        self._blocks = Blocks()
        self.fold = Fold(self.groups, [len(names) for names in plan.names_of_parts])

    def fresh(self) -> None:
        """Bring everything back to the beginning and make the subject."""
        self._surroundings.restore()
        self._scratch.restore()
        forget_current_loops()
        is_made_later = self._plan.is_made_on_loop or self._is_opened_later()
        self.subject = None if is_made_later else self._made()
        self._results = [[] for _ in self._plan.tasks]
        self._passed = [0 for _ in self._plan.tasks]
        self._blocks = Blocks()
        self._turns = Turns(0, 0)
        if CONTROL.now is not None and not is_made_later:
            CONTROL.now += MOMENT

    def _is_opened_later(self) -> bool:
        return self.opens and self.is_threaded and CONTROL.execution is None

    def _opened(self, bodies: Sequence[Callable[[], object]]) -> Sequence[Callable[[], object]]:
        """The bodies behind a set-up that is part of the execution, if it is."""
        if not self._is_opened_later():
            return bodies
        opening = Opening(self._open)
        return [*(Later(body, opening.is_over) for body in bodies), opening]

    def _open(self) -> None:
        self.subject = self._plan.make()

    def _made(self) -> object:
        if self.conduct is None or CONTROL.execution is not None:
            return self._plan.make()
        made: list[object] = []
        self.conduct(lambda: made.append(self._plan.make()))
        return made[0]

    def of_one(self, task: int) -> "Program":
        """The same with a single one of its tasks."""
        text = replace(self._plan.text, tasks=(self._plan.text.tasks[task],))
        program = Program(replace(self._plan, tasks=[self._plan.tasks[task]], text=text))
        program.conduct, program.opens = self.conduct, self.opens
        return program

    @property
    def has_blocks(self) -> bool:
        """Whether there are operations that were written with a pause, as blocks are."""
        return any(PAUSE in call for task in self.text.tasks for call in task)

    def restore(self) -> None:
        """Leave modules and classes as they were before the first execution."""
        self._surroundings.restore()

    def prepare(self) -> Sequence[Callable[[], object]]:
        """One body per task; coroutines share a loop, which is one more."""
        self.fresh()
        bodies = [self._body(task) for task in range(len(self._plan.tasks))]
        jobs = [
            Job(slot, self._coroutine(task)) for task, slot in enumerate(bodies) if isinstance(slot, StrandSlot)
        ]
        return [*bodies, Hosted(jobs, set_up=self._set_up, is_held=self._holds)] if jobs else self._opened(bodies)

    @property
    def _set_up(self) -> Work | None:
        """What makes the subject on the event loop, unless it is there already."""
        return self._make_on_loop if self._plan.is_made_on_loop else None

    async def _make_on_loop(self) -> None:
        make = self._plan.make_on_loop
        self.subject = self._plan.make() if make is None else await make()

    def prepare_set_up(self) -> Sequence[Callable[[], object]]:
        """A body that does nothing but make the subject."""
        if not self._plan.is_made_on_loop:
            return [alone([self.fresh])]
        self.fresh()
        return [Hosted([], set_up=self._set_up)]

    @property
    def is_made_on_loop(self) -> bool:
        return self._plan.is_made_on_loop

    def _holds(self, task: object) -> bool:
        """Whether anything that outlives the operations refers to a task."""
        return is_reachable(task, self.roots().values())

    def _coroutine(self, task: int) -> Callable[[], Coroutine[Any, Any, object]]:
        async def work() -> None:
            for operation in self._plan.tasks[task]:
                await self._perform_async(task, operation, suspend)

        return work

    async def _perform_async(self, task: int, operation: Operation, let_in: Hold) -> None:
        """Run one operation, whether it is a coroutine or not; `let_in` is for between its parts."""
        last = self._passed[task] + parts_of(operation)

        async def hold() -> None:
            if self._passed[task] + 1 < last:  # else it pauses more often than its code tells
                self._passed[task] += 1
                here = task, self._passed[task]
                self._blocks.begin(here)
                await let_in()
                self._blocks.end(here)

        try:
            result = await run_on_loop(operation, self.subject, hold)
        except (Exception, asyncio.CancelledError) as error:
            self._note(task, "raised", error, parts=last - self._passed[task])
            raise
        self._note(task, "returned", result, parts=last - self._passed[task])

    def _body(self, task: int) -> Callable[[], object]:
        if self._plan.is_hosted(task):
            return StrandSlot()

        def body() -> None:
            for operation in self._plan.tasks[task]:
                self._perform(task, operation)

        return body

    def _perform(self, task: int, operation: Operation) -> None:
        """Run one operation; what it raises is its result, and ends its task."""
        for part in self._in_parts(task, operation):
            part()

    def _in_parts(self, task: int, operation: Operation) -> list[Callable[[], None]]:
        """The parts of an operation, to be run one after the other; the last one has its result."""
        whole = InParts(operation)
        count = parts_of(operation)
        first = [partial(self._pass_part, task, whole, parts=count - done) for done in range(count - 1)]
        last = whole.finish if first else partial(run_whole, operation)
        return [*first, partial(self._finish, task, last)]

    def _pass_part(self, task: int, whole: InParts, *, parts: int) -> None:
        self._blocks.end((task, self._passed[task]))
        try:
            whole.go_on(self.subject)
        except Exception as error:
            self._note(task, "raised", error, parts=parts)
            raise
        self._passed[task] += 1
        self._blocks.begin((task, self._passed[task]))

    def _finish(self, task: int, last: Callable[[object], object]) -> None:
        self._blocks.end((task, self._passed[task]))
        try:
            result = last(self.subject)
        except Exception as error:
            self._note(task, "raised", error, parts=1)
            raise
        note_unawaited(result)
        self._note(task, "returned", result, parts=1)

    def _note(self, task: int, ending: str, value: object, *, parts: int) -> None:
        self._results[task].append((ending, value))
        self._passed[task] += parts

    def prepare_serial(self, order: Sequence[int], manner: Manner = USUAL) -> Sequence[Callable[[], object]]:
        """Bodies that run whole operations one after the other; `order` names the task of each."""
        self.fresh()
        tasks = range(len(self._plan.tasks))
        slots = [[turn for turn, owner in enumerate(order) if owner == task] for task in tasks]
        hosted = self._plan.hosted
        self._first = len(tasks) + bool(hosted) + self._is_opened_later()
        turns = self._turns = Turns(self._first, len(order), manner)
        bodies = [
            StrandSlot() if task in hosted else thread_body(self._performs(task), slots[task], turns)
            for task in tasks
        ]
        if not hosted:
            return self._opened(bodies)
        jobs = [
            GatedJob(slot, self._async_performs(task))
            for task, slot in enumerate(bodies)
            if isinstance(slot, StrandSlot)
        ]
        hosted_order = [(turn, hosted.index(owner)) for turn, owner in enumerate(order) if owner in hosted]
        return [*bodies, HostedInTurns(jobs, hosted_order, turns, self._set_up)]

    def sections_of(self, trace: Trace) -> int:
        """How many sections the background had in the last serial run before all operations were over."""
        return Sections(trace, self._first).count_amidst()

    @property
    def was_busy(self) -> bool:
        """Whether an operation of the last serial run left something in the background that could go on."""
        return self._turns.was_busy

    def prepare_refused(self, order: Sequence[int], tasks: Collection[int]) -> Sequence[Callable[[], object]]:
        """As serially, but some of the tasks find every lock taken that they only try for."""
        self._refused = frozenset(tasks)
        try:
            return self.prepare_serial(order)
        finally:
            self._refused = frozenset()

    def prepare_alone(self, order: Sequence[int]) -> Sequence[Callable[[], object]]:
        """A single body that runs all operations in this order, as a program without threads would."""
        self.fresh()
        performs = [iter(self._performs(task)) for task in range(len(self._plan.tasks))]
        return [alone([partial(fails, next(performs[task])) for task in order])]

    def _performs(self, task: int) -> list[Callable[[], object]]:
        parts = [part for operation in self._plan.tasks[task] for part in self._in_parts(task, operation)]
        return [refused(part) for part in parts] if task in self._refused else [*parts]

    def _async_performs(self, task: int) -> list[AsyncPerform]:
        return [
            AsyncPerform(partial(self._perform_async, task, operation), parts_of(operation))
            for operation in self._plan.tasks[task]
        ]

    @property
    def is_threaded(self) -> bool:
        """Whether every task has a thread of its own."""
        return not self._plan.hosted

    def serial_orders(self) -> Iterator[tuple[int, ...]]:
        """Every way to run whole operations one after the other that keeps the order within each task."""
        return self.fold.orders()

    def is_whole(self, order: Sequence[int]) -> bool:
        """Whether nothing comes between the parts of any operation."""
        left = self._plan.names_of_parts
        names = [left[task].pop(0) for task in order]
        return all(name or order[place - 1] == order[place] for place, name in enumerate(names))

    def finished(self) -> list[int]:
        """How many operations of each task have come to their end, or parts where they have such."""
        return list(self._passed)

    def standstill(self, blocked: Collection[int]) -> tuple[tuple[int, ...], frozenset[int]]:
        """How many operations each task has finished and who waits; renamed where names do not count."""
        done, waiting = self.fold.representatives(self.finished(), sorted(blocked))
        return tuple(done), frozenset(waiting)

    def observe(self, order: Sequence[int] = ()) -> Observation:
        """The outcome of the execution that has just ended, in both forms."""
        snapshot = self.snapshot()  # before anything is shown: an object may keep its text
        shown = Outcome(
            results=tuple(_show_result(result) for task in self._results for result in task),
            state=self._show_state(),
            order=self._names_of(order),
        )
        is_whole = not order or self.is_whole(order)
        return Observation(snapshot, shown, self.met, self.rebound(), is_whole, self._turns.idle)

    @property
    def met(self) -> Meetings:
        """Which operations stood at their pauses at once; nothing where many identical tasks have no names."""
        return self.fold.with_names(self._blocks.met)

    def rebound(self) -> frozenset[str]:
        """Names beside the subject that stand for something made since."""
        return self._surroundings.rebound()

    def snapshot(self) -> Snapshot:
        """The outcome in the form that is compared."""
        return self._surroundings.snapshot(self._own_roots()) | capture(self._files())

    def roots(self) -> dict[str, object]:
        """Where everything begins that outlives the operations."""
        return self._own_roots() | self._surroundings.roots() | self._files()

    def _own_roots(self) -> dict[str, object]:
        results = self.fold.sorted_results(self._results, self._appearance)
        return {"state": self.subject, "results": results} | self._listeners()

    def _listeners(self) -> dict[str, object]:
        """Whom the operations have told something, wherever they are registered now."""
        found = listeners_in(self._plan.handed)
        return {f"listener {number}": each for number, each in enumerate(found.values(), 1)}

    def _files(self) -> dict[str, object]:
        return {f"file {name}": content for name, content in self._scratch.files().items()}

    def _appearance(self, results: list[object]) -> str:
        return repr(sorted(capture({"state": self.subject, "results": results}).items()))

    def _names_of(self, order: Sequence[int]) -> tuple[str, ...]:
        left = self._plan.names_of_parts
        return tuple(filter(None, (left[task].pop(0) for task in order)))

    def _show_state(self) -> str:
        if self.subject is not None:
            return ", ".join(render(each) for each in (self.subject, *self._listeners().values()))
        held = [
            (name.removeprefix(f"{module.__name__}."), value)
            for module in OBSERVED.all()
            for name, value in module_roots(module).items()
        ]
        shown = [item for item in held if not is_lock(item[1]) and not _is_of_special_method(item[0])]
        return ", ".join(f"{name}={render(value)}" for name, value in shown)


def _is_of_special_method(name: str) -> bool:
    """True for what generated methods carry, such as those of dataclasses: compared, but nothing to read."""
    return " of " in name and name.endswith("__")


def _show_result(result: object) -> str:
    match result:
        case ("raised", BaseException() as error):
            said = without_addresses(str(error))
            return f"raised {type(error).__name__}: {said}" if said else f"raised {type(error).__name__}"
        case (_, value):
            return render(value)
    return render(result)
