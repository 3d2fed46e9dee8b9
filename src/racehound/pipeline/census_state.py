"""State that several tasks may use, the locks it is used with, and the awaits in the middle of it."""

from collections.abc import Iterable, Iterator, Sequence

from racehound.analysis.program import Program
from racehound.analysis.state.fields import Use
from racehound.pipeline.census import Census, Sight, State
from racehound.source.events import Action, Pause
from racehound.source.facts import FunctionFacts

_ON_COLLECTIONS = frozenset({Action.ITERATE, Action.WRITE_ITEM, Action.MUTATE, Action.DELETE, Action.RESIZE})
_COMPARED = 100
"""Uses of one field in one coroutine that are looked at: functions that machines write have thousands."""


def count_state(census: Census, program: Program) -> None:
    for owner in program.hierarchy.classes:
        is_shared = program.shared.why(owner) is not None
        for uses in program.fields.of_class(owner).values():
            _count_field(census, uses, is_shared=is_shared)
            _count_of_coroutines(census, uses)
    for module in program.modules:
        for uses in program.fields.of_module(module).values():
            _count_field(census, uses, is_shared=True)
        for function in module.functions:
            if function.is_async:
                census.held_awaits += _held_awaits(program, function)
    for scope in program.awaits.scopes(program.modules):
        for _, uses, function in scope.coroutines():
            _count_crossing(census, program, [use for use in uses if use.function is function])


def _count_field(census: Census, uses: Sequence[Use], *, is_shared: bool) -> None:
    changes = [use for use in uses if use.changes]
    if not changes or not (is_shared or any(use.locks or use.function.is_async for use in changes)):
        return
    bare = [use for use in changes if not use.locks]
    state = State(
        at=_sight(changes[0]),
        is_collection=any(use.touch.action in _ON_COLLECTIONS or use.touch.key is not None for use in uses),
        bare=_first(bare),
        bare_access=_first([*bare, *(use for use in uses if not use.locks)]),
    )
    census.shared.append(state)


def _count_of_coroutines(census: Census, uses: Sequence[Use]) -> None:
    used = next((use for use in uses if use.function.is_async), None)
    if used is not None and any(use.changes for use in uses):
        census.of_coroutines.append(_sight(used))


def _held_awaits(program: Program, function: FunctionFacts) -> Iterator[Sight]:
    for index, event in enumerate(function.events):
        if isinstance(event, Pause) and not event.yields:
            held = program.locksets.named(program.locksets.at(function, index))
            names = [str(lock) for lock in held if not _gives_back(event, str(lock))]
            if names and not _takes(function, index):
                yield Sight(function.module.path, event.span.line, names[0])


def _takes(function: FunctionFacts, index: int) -> bool:
    """True for the await by which a lock is taken or given back."""
    pause = function.events[index]
    return isinstance(pause, Pause) and pause.value.name in {"acquire", "release", "__aenter__", "__aexit__"}


def _gives_back(pause: Pause, lock: str) -> bool:
    """True for `await condition.wait()`, which holds it not while it waits."""
    callee = pause.value.place
    is_wait = callee is not None and bool(callee.attributes) and callee.attributes[-1] in {"wait", "wait_for"}
    return is_wait and callee is not None and lock.rpartition(".")[2] == (callee.root, *callee.attributes)[-2]


def _count_crossing(census: Census, program: Program, uses: Sequence[Use]) -> None:
    """Where a field is used before an await and after it, and one of the two changes it."""
    some = uses[:_COMPARED]
    for number, first in enumerate(some):
        paths = program.awaits.paths(first.function)
        for last in some[number + 1 :]:
            if first.changes is last.changes or paths.pause_between(first.index, last.index) is None:
                continue
            locked = program.awaits.is_locked(first, last)
            (census.locked_crossings if locked else census.bare_crossings).append(_sight(last))


def _first(uses: Iterable[Use]) -> Sight | None:
    return next(map(_sight, uses), None)


def _sight(use: Use) -> Sight:
    return Sight(use.function.module.path, use.touch.span.line, str(use.touch.place))
