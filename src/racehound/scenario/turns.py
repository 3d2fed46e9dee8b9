"""From an interleaving to turns of real threads: who runs, and before which line each is held."""

import dis
import re
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, islice, product

from racehound.engine.operation import Kind
from racehound.model.proof import Birth, Step

MOST = 40
"""Instructions of one line at which a thread is worth being held."""
TRIES = 2_000

_READING = (
    "LOAD_ATTR LOAD_METHOD LOAD_GLOBAL LOAD_NAME LOAD_DEREF LOAD_CLASSDEREF LOAD_SUPER_ATTR BINARY_SUBSCR"
    " BINARY_SLICE BINARY_OP COMPARE_OP CONTAINS_OP FOR_ITER GET_ITER"
)
_WRITING = "STORE_ATTR STORE_SUBSCR STORE_SLICE STORE_GLOBAL STORE_NAME STORE_DEREF"
_DELETING = "DELETE_ATTR DELETE_SUBSCR DELETE_GLOBAL DELETE_NAME DELETE_DEREF"
_CALLING = "CALL CALL_KW CALL_FUNCTION_EX BEFORE_WITH WITH_EXCEPT_START"
VISIBLE = frozenset(f"{_READING} {_WRITING} {_DELETING} {_CALLING}".split()) & set(dis.opmap)
"""Instructions that can touch what other threads see; to be held before any other is to be held before these."""
_LIKELY = {
    Kind.READ: _READING,
    Kind.CHECK: _READING,
    Kind.ITERATE: _READING,
    Kind.WRITE: _WRITING,
    Kind.DELETE: _DELETING,
}


_IN_A_WAIT = {(Kind.RELEASE, Kind.WAIT), (Kind.WAIT, Kind.ACQUIRE)}
_SLEEP = threading.Condition.wait.__code__
_TIMED = re.compile(r"timeout|\bwait\([^)]")

Place = tuple[str, int]
"""A file and a line of it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One task runs, up to an operation on a line or to its end."""

    task: int
    path: str = ""
    line: int = 0
    operation: str = ""
    free: bool = False
    """Whether it is most likely not to be held after all: a loop waits for others inside of what it awaits."""

    @property
    def is_held(self) -> bool:
        return self.line > 0

    @property
    def place(self) -> "Place":
        return self.path, self.line


@dataclass(frozen=True, slots=True)
class Script:
    """Which thread runs when, and which starts which; a thread has the number of the task that it is first."""

    turns: tuple[Turn, ...]
    children: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """The threads that each starts, in their order."""

    @property
    def places(self) -> set[Place]:
        return {turn.place for turn in self.turns}

    @property
    def taking_turns(self) -> set[int]:
        return {turn.task for turn in self.turns}

    @property
    def started(self) -> list[int]:
        return [number for numbers in self.children.values() for number in numbers]


def script_of(timeline: Sequence[Step], births: Sequence[Birth]) -> Script:
    thread_of = {birth.task: birth.parent for birth in births if birth.shares_thread}
    started = [birth for birth in births if not birth.shares_thread]
    children: dict[int, list[int]] = {}
    for birth in started:
        children.setdefault(thread_of.get(birth.parent, birth.parent), []).append(birth.task)
    steps = [replace(step, task=thread_of.get(step.task, step.task)) for step in timeline]
    steps = _with_beginnings(steps, started)
    for parent, numbers in reversed(children.items()):
        steps = _with_parent(steps, parent, numbers)
    loops = set(thread_of.values())
    turns = [replace(turn, free=turn.task in loops and turn.operation == Kind.CALL) for turn in turns_of(steps)]
    return Script(tuple(turns), children)


def _with_parent(steps: Sequence[Step], parent: int, children: Collection[int]) -> list[Step]:
    """Who starts others has to come so far before they can have a turn, though no step of its own may show it."""
    first = next((number for number, step in enumerate(steps) if step.task in (parent, *children)), None)
    if first is None or steps[first].task == parent:
        return list(steps)
    return [*steps[:first], replace(steps[first], task=parent), *steps[first:]]


def _with_beginnings(steps: Sequence[Step], started: Sequence[Birth]) -> list[Step]:
    """Where threads do not come to their first steps in the order in which they began, that order is kept too.

    The workers of a pool begin by taking something to do, which no step shows.
    """
    first = {step.task: number for number, step in reversed(list(enumerate(steps)))}
    seen = sorted((birth for birth in started if birth.task in first), key=lambda birth: birth.begun)
    if [first[birth.task] for birth in seen] == sorted(first[birth.task] for birth in seen):
        return list(steps)
    begun = {birth.task: birth.begun for birth in reversed(seen)}
    longer = list(steps)
    for task, number in sorted(begun.items(), key=lambda item: -item[1]):
        longer.insert(number, replace(steps[first[task]], task=task))
    return longer


def turns_of(timeline: Sequence[Step]) -> list[Turn]:
    """A task is held before the operation that it does next after others had their turn."""
    runs = [[index for index, _ in run] for _, run in groupby(enumerate(timeline), _task)]
    return [_turn(timeline[indexes[-1]], timeline[indexes[-1] + 1 :]) for indexes in runs]


def _task(item: tuple[int, Step]) -> int:
    return item[1].task


def _turn(last: Step, later: Sequence[Step]) -> Turn:
    after = next((step for step in later if step.task == last.task), None)
    if after is None:
        return Turn(last.task)
    if _is_within_a_wait(last, after):
        return Turn(last.task, _SLEEP.co_filename, _line_of_sleep(after), Kind.CALL)
    return Turn(last.task, after.path, after.line, _in_the_open(after))


def _is_within_a_wait(last: Step, after: Step) -> bool:
    """Whether a task has given the lock of a condition back, or was woken, in a call that is not over yet."""
    same_call = (last.path, last.line, last.target) == (after.path, after.line, after.target)
    return same_call and (last.operation, after.operation) in _IN_A_WAIT


def _line_of_sleep(step: Step) -> int:
    """Where `Condition.wait` sleeps until it is notified: to be held before that is as good as to be asleep."""
    calls = (item for item in dis.get_instructions(_SLEEP) if item.argval == "acquire")
    _, unlimited, limited, *_ = (item.positions.lineno or 0 for item in calls if item.positions is not None)
    return limited if _TIMED.search(step.source) else unlimited


def _in_the_open(step: Step) -> str:
    """What the line itself does: it calls a function of the library where that is what does the operation."""
    name = step.target.rpartition(".")[2]
    return Kind.CALL if f"{name}(" in step.source else step.operation


Stops = tuple[int, ...]
"""For each turn: before how many visible instructions of its line the thread passes; 0 where it is not held."""


def choices_of_stops(turns: Sequence[Turn], seen: Sequence[Sequence[str]]) -> Iterator[Stops]:
    """Where to hold each thread, the likeliest first; `seen` names the instructions that each has on its line."""
    ranked = [_ranked(turn, names) for turn, names in zip(turns, seen, strict=True)]
    several = islice(product(*(list(enumerate(stops)) for stops in ranked)), TRIES)
    for choice in sorted(several, key=lambda choice: sum(rank for rank, _ in choice)):
        yield tuple(stop for _, stop in choice)


def _ranked(turn: Turn, names: Sequence[str]) -> list[int]:
    if not turn.is_held:
        return [0]
    likely = _LIKELY.get(Kind(turn.operation), _CALLING).split()
    numbers = range(1, min(len(names), MOST) + 1)
    ranked = sorted(numbers, key=lambda number: (names[number - 1] not in likely, number))
    return [0, *ranked] if turn.free else ranked
