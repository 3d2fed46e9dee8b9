"""Serial runs: what the operations do when they run one after the other."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from math import comb
from typing import Final

from racehound.engine.company import UNFINISHED
from racehound.engine.control import CONTROL
from racehound.engine.execution import START_OF_TIME, STEP_LIMIT, Ending, Trace
from racehound.engine.explorer import Explorer, Prepare
from racehound.engine.spin import SLEEP
from racehound.engine.strategy import Strategy
from racehound.errors import HarnessError
from racehound.model.proof import ScenarioText
from racehound.model.schedule import TaskId
from racehound.scenario.chance import NO_CHANCE, Twice, chance_in
from racehound.scenario.emptiness import filled_in
from racehound.scenario.outcomes import SerialOutcomes, Stuck
from racehound.scenario.program import Conduct, Observation, Program
from racehound.scenario.said import said_in
from racehound.scenario.sections import MOST, paces
from racehound.scenario.serial_bodies import Manner, alone
from racehound.scenario.snapshot import Snapshot, differing_paths
from racehound.scenario.stuck import STUCK, is_held_up_by_itself
from racehound.strategies.eldest import Eldest
from racehound.strategies.foremost import Foremost
from racehound.strategies.guided import Guided

Pair = tuple[Observation | None, Observation | None]

PAIR = 2
TOO_LARGE = "the code needs more memory than it may have: it may allocate without end"
TOO_SLOW = "the budget ended before the operations were run one after the other in all orders"
FEW = 3
"""So many tasks that try for a lock are refused it in all combinations."""

SET_UP: Final = 0
"""The task that makes the subject, where nothing else is run."""


class SetupFailed(HarnessError):
    """The subject could not be made or brought into its first state."""


class TooMany(Exception):
    """There are more ways to place operations among what goes on in the background than are tried."""


def serial_outcomes(explorer: Explorer, program: Program) -> SerialOutcomes:
    """Run every serial order twice; what differs between the two is masked."""
    filled = _rehearse(explorer, program)
    runs = _Runs(explorer, program)
    seen = _Seen()
    for order in program.serial_orders():
        pair = runs.one_by_one(order), runs.one_by_one(order, contrary=True)
        if None not in pair:
            seen.complete(order, pair)
            _vary(order, runs, seen, is_busy=program.was_busy)
        elif program.is_whole(order):  # else what comes first of two blocks is seen in other orders
            done = sum(program.finished())
            if done == len(order):
                raise HarnessError("a thread that the operations start never ends, even when they run one by one")
            seen.interrupted(order, done)
            seen.waiting((runs.waiting(order), runs.waiting(order)), in_a_crowd=runs.were_crowded)
            if runs.blocked:
                seen.stuck[tuple(program.finished()), runs.blocked] = order[done]
                seen.at_once.add(program.standstill(runs.blocked))
    found = replace(seen.outcomes(runs), lone=_lone(explorer, program), filled=filled)
    wants_loop = found.needs_loop and not program.has_no_use_for_loop
    is_told = found.says_something or not program.is_threaded or wants_loop
    return found if is_told else _of_one_thread(runs, found)


def _lone(explorer: Explorer, program: Program) -> tuple[Snapshot, ...]:
    """The state that each task leaves alone, where two open blocks or some are given functions to run."""
    count = len(program.text.tasks)
    if not hands_over_functions(program.text) and not (program.has_blocks and count == PAIR):
        return ()
    alone = [program.of_one(task) for task in range(count)]
    return tuple(found.state for each in alone if (found := _outcome_of(explorer, each)) is not None)


def hands_over_functions(text: ScenarioText) -> bool:
    """Whether an operation is given a function, which it may run while others come and go."""
    return any(word in call for task in text.tasks for call in task for word in _FUNCTIONS)


_FUNCTIONS: Final = ("lambda", ".partial(")


def _outcome_of(explorer: Explorer, program: Program) -> Observation | None:
    return _Runs(explorer, program).one_by_one(next(program.serial_orders()))


def seen_alone(explorer: Explorer, program: Program) -> Observation | None:
    """What the one task of a program shows; None where it waits for ever."""
    _rehearse(explorer, program)
    return _Runs(explorer, program).one_by_one(next(program.serial_orders()))


def _vary(order: tuple[int, ...], runs: "_Runs", seen: "_Seen", *, is_busy: bool) -> None:
    """What else an order may show whose operations come to their ends one after the other."""
    if is_busy:
        seen.compare((runs.hasty(order), runs.hasty(order, contrary=True)))
        for slot in range(len(order) - 1) if len(order) == FEW else ():
            seen.compare((runs.hasty(order, but=slot), runs.hasty(order, but=slot, contrary=True)))
    if runs.waited_in_vain:
        pair = runs.woken(order), runs.woken(order)
        seen.woken(pair, in_a_crowd=runs.were_crowded)
    if runs.left_unfinished:
        for rested in (True, False):
            seen.compare((runs.at_rest(order, rested=rested), runs.at_rest(order, rested=rested)))


def with_background(explorer: Explorer, program: Program, serial: SerialOutcomes) -> SerialOutcomes:
    """With what is to be seen where operations come in between what goes on in the background."""
    youngest = len(program.text.tasks)
    try:
        eldest_first = tuple(observed_between(explorer, program, Foremost))
        youngest_first = tuple(observed_between(explorer, program, lambda: Foremost(youngest)))
        return replace(serial, between=eldest_first + youngest_first)
    except TooMany:
        return replace(serial, between=(), too_many_between=True)


def observed_between(
    explorer: Explorer, program: Program, strategy: Callable[[], Strategy]
) -> Iterator[Observation]:
    """Outcomes where operations come in between sections of the background; the strategy tells whose is next."""
    runs = _Runs(explorer, program)
    for order in program.serial_orders():
        count = runs.count_sections(order)
        if comb(count + len(order), len(order)) > MOST:
            raise TooMany
        found = (runs.at_pace(order, pace, strategy()) for pace in (paces(count, len(order)) if count else ()))
        yield from (outcome for outcome in found if outcome is not None)


def observed_serially(
    explorer: Explorer, program: Program, prepare: Prepare, order: tuple[int, ...]
) -> Observation | None:
    """The outcome of one serial run, or None where an operation waits for ever."""
    return _Runs(explorer, program).of(prepare, order)


class _Seen:
    """What serial orders have shown so far."""

    def __init__(self) -> None:
        self.stuck: dict[Stuck, int] = {}
        """With the task that waited first."""
        self.at_once: set[Stuck] = set()
        """The same, with identical tasks renamed."""
        self._observations: list[Observation] = []
        self._masked: set[str] = set()
        self._pairs: list[Twice] = []
        self._waits: set[tuple[tuple[int, ...], int]] = set()
        self._getting_on: set[int] = set()
        """Tasks that do not always wait."""
        self._in_crowds: list[Pair] = []
        self._woken_crowds: list[Observation] = []
        self._completed = False

    def complete(self, order: tuple[int, ...], pair: Pair) -> None:
        self._completed = True
        self._getting_on.update(order)
        self.compare(pair)

    def interrupted(self, order: tuple[int, ...], done: int) -> None:
        self._getting_on.update(order[:done])
        self._waits.add((order[:done], order[done]))

    def waiting(self, pair: Pair, *, in_a_crowd: bool) -> None:
        """Two runs of one order in which later operations began while earlier ones waited.

        One may wait while another runs. That two wait at once while a third runs is serial only where nobody gets
        on otherwise, as at a barrier of three: else what they do when they are woken is what is to be judged.
        """
        if in_a_crowd:
            self._in_crowds.append(pair)
        else:
            self.compare(pair)

    def woken(self, pair: Pair, *, in_a_crowd: bool) -> None:
        """The same where they would not wait for ever: two that are woken at once may be meant to be."""
        if in_a_crowd:
            self._woken_crowds += [found for found in pair if found is not None]
        else:
            self.compare(pair)

    def compare(self, pair: Pair) -> None:
        """Two runs of one order."""
        first, second = pair
        if first is not None and second is not None:
            self._masked |= differing_paths(first.snapshot, second.snapshot)
            self._pairs.append((first.snapshot, second.snapshot))
            self._observations.append(first)

    def outcomes(self, runs: "_Runs") -> SerialOutcomes:
        for pair in () if self._getting_on else self._in_crowds:
            self.compare(pair)
        return SerialOutcomes(
            observations=tuple(self._observations),
            masked=frozenset(self._masked),
            waits=frozenset(self._waits),
            stuck=frozenset(state for state, first in self.stuck.items() if first not in self._getting_on),
            at_once=frozenset(self.at_once),
            unheard=frozenset(runs.unheard),
            is_outrun=runs.is_outrun,
            refusals=tuple(runs.refusals()),
            too_many_try=runs.too_many_try,
            only_together=not self._completed,
            crowds=tuple(self._woken_crowds),
            held_up=runs.held_up,
            chance=chance_in(self._pairs) if self._masked else NO_CHANCE,
            pairs=tuple(self._pairs),
        )


def _of_one_thread(runs: "_Runs", found: SerialOutcomes) -> SerialOutcomes:
    """Where threads can do nothing but raise: what a program without threads would see, if it sees more.

    Code that works only in the main thread is as broken by threads as code that works only without overlap.
    """
    alone = [outcome for order in runs.orders() if (outcome := runs.in_main_thread(order)) is not None]
    if not alone or any(text.startswith("raised ") for item in alone for text in item.shown.results):
        return found
    return replace(found, observations=tuple(alone))


def _rehearse(explorer: Explorer, program: Program) -> frozenset[str]:
    """Make the subject once under control; later executions do so in the open, for speed.

    Answers which of its private parts hold something then.
    """
    rehearsal = rehearse_setup(explorer, program.prepare_set_up, program.text)
    filled = filled_in(program.snapshot())
    program.conduct = None if program.is_made_on_loop else conductor(explorer, program.text, rehearsal)
    program.opens = leaves_threads(rehearsal)
    return filled


def conductor(explorer: Explorer, text: ScenarioText, rehearsal: Trace) -> Conduct | None:
    """What runs a set-up that waits, or starts threads whose end it waits for; None for others.

    In the open a wait would take real time before each execution, and how far the threads are when the race begins
    would be a matter of chance. With threads that go on it is part of the execution.
    """
    is_at_once = len(rehearsal.tasks) == 1 and CONTROL.now == START_OF_TIME
    if is_at_once or leaves_threads(rehearsal) or rehearsal.ending is not Ending.COMPLETE:
        return None
    return lambda make: rehearse_setup(explorer, lambda: [alone([make])], text)


def leaves_threads(rehearsal: Trace) -> bool:
    """Whether a set-up starts threads that go on when it is done: it is part of each execution then."""
    return _is_made(rehearsal) and (bool(rehearsal.blocked) or _is_outlived(rehearsal))


def _is_outlived(rehearsal: Trace) -> bool:
    """Whether somebody has gone on when the set-up was done, which comes first as long as it can."""
    tasks = [event.task for event in rehearsal.events]
    last = max((step for step, task in enumerate(tasks) if task == SET_UP), default=0)
    return any(task != SET_UP for task in tasks[last + 1 :])


def _is_made(rehearsal: Trace) -> bool:
    """Whether a set-up has come to its end; threads that it has started may wait for what is to come."""
    return rehearsal.ending is Ending.COMPLETE or (rehearsal.ending in STUCK and SET_UP not in rehearsal.blocked)


def rehearse_setup(explorer: Explorer, prepare: Prepare, text: ScenarioText) -> Trace:
    """Run a set-up as a task of its own: that it waits for ever is noticed."""
    trace = explorer.run(prepare, Guided([]))
    if not _is_made(trace) and trace.ending in STUCK:
        raise SetupFailed(f"{', then '.join((text.setup, *text.prefix))} waits for ever")
    if trace.broken_by is not None:
        raise trace.broken_by
    error = trace.tasks[0].error
    if error is not None:
        raise error
    return trace


class _Runs:
    """Serial executions of one program."""

    def __init__(self, explorer: Explorer, program: Program) -> None:
        self._explorer = explorer
        self._program = program
        self.unheard: set[str] = set()
        self._tried: set[int] = set()
        self.blocked: frozenset[int] = frozenset()
        """The tasks that waited for ever in the last run."""
        self.were_crowded = False
        """Whether more than two tasks had begun and not ended at some moment of the last run with waiting."""
        self.is_outrun = False
        """Whether some timeout was shorter than somebody slept."""
        self.waited_in_vain = False
        """Whether a wait with a timeout ended in vain in some run."""
        self.held_up = False
        """Whether an operation waited for a lock that it held itself."""
        self.left_unfinished = False
        """Whether something in the background could have gone on when all operations of some run had ended."""

    def one_by_one(self, order: tuple[int, ...], *, contrary: bool = False) -> Observation | None:
        """The outcome, or None where an operation waits for ever."""
        return self._serially(partial(self._program.prepare_serial, order), order, contrary=contrary)

    def of(self, prepare: Prepare, order: tuple[int, ...]) -> Observation | None:
        return self._serially(prepare, order, contrary=False)

    def _serially(
        self, prepare: Prepare, order: tuple[int, ...], *, contrary: bool, strategy: Strategy | None = None
    ) -> Observation | None:
        CONTROL.contrary = contrary
        try:
            return self._observed(self._explorer.run(prepare, strategy or Foremost()), order)
        finally:
            CONTROL.contrary = False

    def orders(self) -> Iterator[tuple[int, ...]]:
        return self._program.serial_orders()

    def hasty(
        self, order: tuple[int, ...], *, but: int | None = None, contrary: bool = False
    ) -> Observation | None:
        """The same, but an operation begins while what earlier ones left in the background still goes on.

        After the one in the slot `but` it comes to rest nevertheless.
        """
        prepare = partial(self._program.prepare_serial, order, Manner(rested=False, rests_after=but))
        return self._serially(prepare, order, contrary=contrary)

    def at_rest(self, order: tuple[int, ...], *, rested: bool) -> Observation | None:
        """The same, but all is over only when what the last operations left in the background is, too."""
        prepare = partial(self._program.prepare_serial, order, Manner(rested=rested, rests_at_last=True))
        return self._serially(prepare, order, contrary=False)

    def count_sections(self, order: tuple[int, ...]) -> int:
        """How many sections the background has if it comes to rest after each operation."""
        prepare = partial(self._program.prepare_serial, order, Manner(wakes=True))
        return self._program.sections_of(self._explorer.run(prepare, Foremost()))

    def at_pace(self, order: tuple[int, ...], pace: tuple[int, ...], strategy: Strategy) -> Observation | None:
        """The outcome where each operation begins when the background has come so far."""
        prepare = partial(self._program.prepare_serial, order, Manner(pace=pace))
        return self._serially(prepare, order, contrary=False, strategy=strategy)

    @property
    def too_many_try(self) -> bool:
        return len(self._tried) > FEW

    def refusals(self) -> Iterator[Observation]:
        """Outcomes of serial orders in which tasks that try for a lock do not get it."""
        sizes = () if self.too_many_try else range(1, len(self._tried) + 1)
        groups = [group for size in sizes for group in combinations(sorted(self._tried), size)]
        for order, group in product(list(self.orders()) if groups else (), groups):
            prepare = partial(self._program.prepare_refused, order, group)
            outcome = self._observed(self._explorer.run(prepare, Foremost()), order)
            if outcome is not None:
                yield outcome

    def in_main_thread(self, order: tuple[int, ...]) -> Observation | None:
        return self._observed(self._explorer.run(lambda: self._program.prepare_alone(order), Foremost()), order)

    def waiting(self, order: tuple[int, ...]) -> Observation | None:
        """The same, but where an operation waits for a later one, that one begins meanwhile."""
        return self._observed(self._overlapping(order), order)

    def woken(self, order: tuple[int, ...]) -> Observation | None:
        """The same where it waits with a timeout; None if nobody is woken, or if somebody sleeps as well."""
        if not self._program.is_threaded:
            return None
        trace = self._overlapping(order)
        sleeps = any(event.operation.label == SLEEP for event in trace.events)
        return self._observed(trace, order) if trace.timed and not sleeps else None

    def _overlapping(self, order: tuple[int, ...]) -> Trace:
        """A run in which operations begin in this order, each when the one before has ended or waits."""
        eldest = Eldest([TaskId(task) for task in order], self._program.finished)
        trace = self._explorer.run(self._program.prepare, eldest)
        self.were_crowded = _most_at_once(trace, len(self._program.text.tasks)) > PAIR
        return trace

    def _observed(self, trace: Trace, order: tuple[int, ...]) -> Observation | None:
        if trace.broken_by is not None:
            raise trace.broken_by
        refuse_the_end(trace)
        tasks = range(len(self._program.text.tasks))
        self.blocked = frozenset(task for task in tasks if TaskId(task) in trace.blocked)
        self._tried |= {task for task in trace.tried if task < len(self._program.text.tasks)}
        if trace.ending is Ending.LATE:
            raise TooSlow(TOO_SLOW)
        if trace.ending is Ending.OVERRUN:
            raise NeverEnding(
                f"the operations take more than {STEP_LIMIT:,} steps even one after the other:"
                " they may never end, or need shorter loops to be raced"
            )
        if trace.ending in STUCK:
            self.held_up |= is_held_up_by_itself(trace)
            return None
        self.left_unfinished |= UNFINISHED in trace.caveats
        self.is_outrun |= trace.outrun
        self.waited_in_vain |= any(task.expired for task in trace.tasks)
        self.unheard |= {type(error).__name__ for error in unheard_errors(trace, self._program)}
        return replace(self._program.observe(order), said=said_in(trace))


class TooSlow(HarnessError):
    """Operations that took all the time there was, one after the other."""


class NeverEnding(HarnessError):
    """Operations that take too many steps even alone."""


def _most_at_once(trace: Trace, count: int) -> int:
    """How many of the first tasks were on their way at once, at most."""
    steps = [event.task for event in trace.events]
    spans = [
        (steps.index(task), len(steps) if task in trace.blocked else len(steps) - steps[::-1].index(task))
        for task in map(TaskId, range(count))
        if task in steps
    ]
    return max((sum(first <= start < last for first, last in spans) for start, _ in spans), default=0)


def refuse_the_end(trace: Trace) -> None:
    """Complain of an operation that would end the whole program, or needs more memory than there is."""
    for task in trace.tasks:
        if isinstance(task.error, MemoryError):
            raise HarnessError(TOO_LARGE)
        if task.error is not None and not isinstance(task.error, Exception | asyncio.CancelledError):
            raise HarnessError(f"an operation ends the program: {type(task.error).__name__}: {task.error}")


def unheard_errors(trace: Trace, program: Program) -> list[BaseException]:
    """What ended threads and callbacks that the program started itself, where nobody could catch it."""
    return [task.error for task in trace.tasks[len(program.text.tasks) :] if task.error is not None]
