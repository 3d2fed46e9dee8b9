"""Loops that give way to other tasks in each round, and what these change meanwhile."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from racehound.analysis.awaiting.awaited_tasks import are_awaited_before
from racehound.analysis.flow.rounds import wait_between_rounds
from racehound.analysis.meaning.hierarchy import outer_method
from racehound.analysis.meaning.kinds import CONTAINERS
from racehound.analysis.meaning.metaclasses import is_making_classes
from racehound.analysis.program import Program
from racehound.analysis.state.endings import TEARDOWN
from racehound.analysis.state.fields import Use
from racehound.analysis.state.meeting import Meetings, Owner
from racehound.model.doubt import CERTAIN, Doubt, Sureness
from racehound.model.meeting_doubts import MeetingDoubt
from racehound.model.task_doubts import TaskDoubt
from racehound.rules.state.guard_order import is_beginning
from racehound.rules.state.loops_over_parts import loops_over_parts
from racehound.rules.state.resizing import LISTS, breaks
from racehound.source.events import Action
from racehound.source.facts import FunctionFacts

_SKIPPING = (
    "A task waits inside the loop of `{first}` over `{target}`; another task runs `{second}`, which takes an item "
    "out of it; the items behind it move up, and the loop skips one of them."
)
_WAITING = (
    "A task waits inside the loop of `{first}` over `{target}`; another task runs `{second}`, which {does} it; "
    "the first one asks for the next item, and the loop raises."
)
_REGISTERS = re.compile(
    r"_*(on_|register|subscribe|add_(\w+_)?(callback|listener|handler|hook|case)|"
    r"add_(\w+_)?(check|command|extension|field|filter|middleware|plugin|provider|route|rule|service|tool|view)$|"
    r"add[A-Z]?\w*(Callback|Handler|Listener)s?$)"
)
"""Called while things are set up, as a rule, by whoever made the object."""


class Broken(NamedTuple):
    """A loop, and a change that breaks it."""

    owner: Owner
    field: str
    pair: tuple[Use, Use]
    trigger: str
    confidence: Sureness


def loops_of_tasks(program: Program) -> Iterator[Broken]:
    for scope in program.awaits.scopes(program.modules):
        for field, uses in scope.fields.items():
            kinds = program.fields.kinds(scope.owner, field)
            for loop in uses if kinds & CONTAINERS else ():
                if kinds & CONTAINERS - LISTS:
                    yield from _between_rounds(program, scope.owner, field, loop)
                else:
                    yield from _skipped(program, scope.owner, field, loop)
    for part in loops_over_parts(program):
        yield Broken(part.owner, part.field, (part.loop, part.change), _WAITING, CERTAIN)


def _between_rounds(program: Program, owner: Owner, field: str, loop: Use) -> Iterator[Broken]:
    """A task that waits in the loop lets others in, which needs no thread."""
    uses, kinds = Meetings(program).fields(owner)[field], program.fields.kinds(owner, field)
    if loop.touch.action is not Action.ITERATE or wait_between_rounds(loop.function, loop.index) is None:
        return
    ends = TEARDOWN.match(outer_method(loop.function).name.lstrip("a")) is not None
    for other in sorted(uses, key=takes_back, reverse=True) if ends else uses:
        if breaks(loop, other, kinds) and _may_come(program, loop, other):
            known = program.tasks.may_overlap(loop.function, other.function)
            sure = CERTAIN if known else TaskDoubt.NO_TWO_TASKS.likely
            meets = known or _is_called_back(program, other.function) or (ends and takes_back(other))
            doubt = None if meets else _doubt(program, loop, other)
            yield Broken(owner, field, (loop, other), _WAITING, sure if doubt is None else doubt.possible)
            return


def takes_back(change: Use) -> bool:
    """True for the public step by which whoever is still at work gives its entry back, also during a shutdown."""
    name = outer_method(change.function).name
    away = change.touch.action is Action.DELETE or change.touch.method in _AWAY
    if not away or name.startswith("_") or TEARDOWN.match(name.lstrip("a")) is not None:
        return False
    return change.touch.method != "clear" and not is_beginning(outer_method(change.function))


_AWAY = frozenset({"pop", "remove", "discard", "popitem"})


def _may_come(program: Program, loop: Use, other: Use) -> bool:
    """False for a step of the loop's own function, and for tasks that it has awaited before."""
    if outer_method(other.function) is outer_method(loop.function):
        return False
    return not are_awaited_before(program, loop.function, loop.index, other.function)


def _doubt(program: Program, loop: Use, other: Use) -> Doubt | None:
    if _is_at_an_end(loop.function):
        return MeetingDoubt.AT_THE_END
    if _REGISTERS.match(other.function.name):
        return MeetingDoubt.AT_THE_BEGINNING
    if is_making_classes(program.hierarchy, other.function):
        return MeetingDoubt.ONCE_PER_CLASS
    return TaskDoubt.OWN_STEP if _is_own_step(other.function) else None


def adds_by_name(change: Use) -> bool:
    """True for `add_callback` and its like, which whoever sets the object up calls; listeners may come later."""
    name = outer_method(change.function).name
    return name.lstrip("_").startswith("add") and _REGISTERS.match(name) is not None


def _skipped(program: Program, owner: Owner, field: str, loop: Use) -> Iterator[Broken]:
    """A list does not raise when it loses an item: the loop passes over the one behind it."""
    if loop.touch.action is not Action.ITERATE or wait_between_rounds(loop.function, loop.index) is None:
        return
    for other in Meetings(program).fields(owner)[field]:
        method = outer_method(other.function)
        away = other.touch.method == "remove" and not loop.locks & other.locks
        ends = _is_at_an_end(loop.function) or TEARDOWN.match(method.name) is not None
        if away and not ends and method is not outer_method(loop.function) and not _is_own_step(method):
            yield Broken(owner, field, (loop, other), _SKIPPING, TaskDoubt.NO_TWO_TASKS.likely)
            return


def _is_called_back(program: Program, function: FunctionFacts) -> bool:
    """True for what the loop calls by itself, while tasks wait."""
    tasks = program.tasks
    contexts = tasks.on_shared_self(function) if function.owner is not None else tasks.of(function)
    return any(context.what.startswith("a callback") for context in contexts)


def _is_own_step(function: FunctionFacts) -> bool:
    """True for a private step, which its own class comes to: most often in the task that is in the loop."""
    return function.name.startswith("_") and not function.name.endswith("__")


def _is_at_an_end(function: FunctionFacts) -> bool:
    """True for what is done before others come, or after they have gone."""
    method = outer_method(function)
    return is_beginning(method) or TEARDOWN.match(method.name.lstrip("a")) is not None
