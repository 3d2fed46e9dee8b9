"""Serial orders on the plain interpreter: what a program shows that does one thing after the other."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from racehound.scenario.emptiness import is_among
from racehound.scenario.fold import Fold
from racehound.scenario.plain_background import come_to_rest, timers_on_call
from racehound.scenario.plain_parts import Result, parts_on_a_loop, parts_on_a_thread
from racehound.scenario.plain_waits import settle
from racehound.scenario.plain_world import (
    PlainWorld,
    Sight,
    in_a_fork,
    made_on_loop,
    set_event,
)
from racehound.scenario.snapshot import Snapshot, differing_paths

CROWD = 2


@dataclass(frozen=True, slots=True)
class SerialSights:
    """What serial orders have shown."""

    outcomes: list[Snapshot]
    masked: set[str]
    """What differs between two runs of one order."""
    raised: set[str]
    """Names of exceptions, also in orders that do not come to an end."""
    gets_on: bool = False
    """Whether an operation came to its end in some order without waiting for others."""

    def allow(self, sight: Sight) -> bool:
        """Whether an execution that has come to its end may show this."""
        if is_among(sight.snapshot, self.outcomes, self.masked):
            return True
        raises = bool(sight.raised) and _name_of(sight) not in self.raised
        return not (self.outcomes or (raises and self.gets_on))


def serial_sights(world: PlainWorld) -> SerialSights:
    """What all serial orders show.

    What is left in the background either comes to rest before the next operation begins or goes on beside it.
    Where an operation waits for another, that one begins meanwhile. That two wait while a third begins counts only
    where nobody gets on otherwise.
    """
    fold = Fold(world.plan.groups, [len(names) for names in world.plan.names_of_parts])
    found = SerialSights([], set(), set())
    crowds: list[Snapshot] = []
    for order in fold.orders():
        first = in_a_fork(partial(_run, world, order, rested=True))
        if first is None:  # a second time it would take as long
            continue
        found = replace(found, gets_on=found.gets_on or first.alone > 0)
        if first.raised and not first.crowd:
            found.raised.add(_name_of(first))
        if not first.waiting:
            (crowds if first.crowd else found.outcomes).extend(_compared(world, order, first, found.masked))
    return found if found.gets_on else replace(found, outcomes=[*found.outcomes, *crowds])


def _name_of(sight: Sight) -> str:
    return sight.raised.partition("(")[0]


def _compared(world: PlainWorld, order: Sequence[int], first: Sight, masked: set[str]) -> list[Snapshot]:
    """The outcomes of an order, after it was run again."""
    second, hasty = (in_a_fork(partial(_run, world, order, rested=rested)) for rested in (True, False))
    if second is None:
        return []
    masked.update(differing_paths(first.snapshot, second.snapshot))
    return [sight.snapshot for sight in (first, hasty) if sight is not None and not sight.waiting]


def _run(world: PlainWorld, order: Sequence[int], *, rested: bool) -> Sight:
    """Each task has a thread of its own, as when they overlap; coroutines share one."""
    results: list[list[Result]] = [[] for _ in world.plan.tasks]
    threads = [ThreadPoolExecutor(max_workers=1) for _ in (*results, world.loop)]
    left = [_parts(world, task, results[task]) for task in range(len(results))]
    gate = set_event() if rested else threading.Event()
    late: dict[Future[Any], int] = {}
    waiting: list[int] = []
    with timers_on_call(gate), asyncio.Runner() as runner:
        if world.plan.is_made_on_loop:
            subject = threads[-1].submit(runner.run, made_on_loop(world.plan)).result()
        else:
            subject = world.plan.make()
        for task in order:
            part = left[task].pop(0)
            if world.plan.is_hosted(task):
                late[threads[-1].submit(runner.run, part(subject))] = task
            else:
                late[threads[task].submit(part, subject)] = task
            settle(late, partial(_open, gate))
            late = {future: number for future, number in late.items() if not future.done()}
            waiting.append(len(late))
            if rested and not late:
                come_to_rest()
        if not late:
            threads[-1].submit(runner.close).result()
            gate.set()
            come_to_rest()
        alone = next((place for place, count in enumerate(waiting) if count), len(order))
        crowd = max(waiting[:-1], default=0) >= CROWD
        return world.sight(
            subject, results, waiting={number: [] for number in late.values()}, alone=alone, crowd=crowd
        )


def _parts(world: PlainWorld, task: int, results: list[Result]) -> list[Callable[[object], Any]]:
    """What a task does, one part after the other; on an event loop each of them is a coroutine."""
    parts = parts_on_a_loop if world.plan.is_hosted(task) else parts_on_a_thread
    return [part for operation in world.plan.tasks[task] for part in parts(operation, results)]


def _open(gate: threading.Event) -> bool:
    """Let timers go off, if they have not yet."""
    was_closed = not gate.is_set()
    gate.set()
    return was_closed
