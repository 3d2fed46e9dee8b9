"""From an interleaving to turns of real threads: who runs, and before which line each is held."""

import dis
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, product

from racehound.engine.operation import Kind
from racehound.model.proof import Step

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


Place = tuple[str, int]
"""A file and a line of it."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One task runs, up to an operation on a line or to its end."""

    task: int
    path: str = ""
    line: int = 0
    operation: str = ""

    @property
    def is_held(self) -> bool:
        return self.line > 0

    @property
    def place(self) -> "Place":
        return self.path, self.line


def turns_of(timeline: Sequence[Step]) -> list[Turn]:
    """A task is held before the operation that it does next after others had their turn."""
    runs = [(task, [index for index, _ in run]) for task, run in groupby(enumerate(timeline), _task)]
    return [_turn(task, timeline[indexes[-1] + 1 :]) for task, indexes in runs]


def _task(item: tuple[int, Step]) -> int:
    return item[1].task


def _turn(task: int, later: Sequence[Step]) -> Turn:
    after = next((step for step in later if step.task == task), None)
    return Turn(task) if after is None else Turn(task, after.path, after.line, after.operation)


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
    return sorted(numbers, key=lambda number: (names[number - 1] not in likely, number))
