"""What instrumented code calls before each operation.

A hook publishes and returns what it was given; the operation itself is the interpreter's. Only where the grammar
has no room for that does a hook perform. Hooks are called from every thread that runs instrumented code and do
nothing unless that thread is the running task.
"""

import contextlib
import operator
import os
import types
from _thread import get_ident
from collections.abc import Callable
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument import voices
from racehound.instrument.attributes import number_of_fields
from racehound.instrument.calls import plan_call, publish_foreign
from racehound.instrument.containers import HALFWAY, item_operation
from racehound.instrument.fields import lock_at, publish_change, publish_field, publish_load, publish_name
from racehound.instrument.filling import Filling, fills
from racehound.instrument.foreign import foreign_effects, unobserved
from racehound.instrument.generators import hand_over
from racehound.instrument.items import PART, publish_item, publish_part
from racehound.instrument.iteration import publish_next, publish_unpacking, stepwise, stepwise_later
from racehound.instrument.keepers import is_keeper, is_made_on_the_spot, publish_keeper
from racehound.instrument.kinds import SORTS, Sort, is_a
from racehound.instrument.known import is_trusted
from racehound.instrument.looking import look, publish_look
from racehound.instrument.parts import reachable, underlying
from racehound.instrument.streams import REDIRECTIONS, Redirection
from racehound.instrument.trusted import controlled_lock

_READ: Final = Kind.READ
_WRITE: Final = Kind.WRITE

# -- attributes ------------------------------------------------------------------------------------


def load(site: int, subject: object, name: str) -> object:
    if get_ident() != CONTROL.ident:
        CONTROL.here()
        return subject
    execution = CONTROL.execution
    if execution is None:
        return subject
    place = SORTS.homes.get((type(subject), name))
    if place is None or not place.is_plain:
        return publish_load(execution, site, subject, name)
    publish_field(execution, site, subject, name, _READ)
    return subject


def store(site: int, subject: object, name: str) -> object:
    place = SORTS.homes.get((type(subject), name))
    if place is None or not place.is_plain or get_ident() != CONTROL.ident:
        _change(site, subject, name, _WRITE)
    elif CONTROL.execution is not None:
        publish_field(CONTROL.execution, site, subject, name, _WRITE)
    return subject


def delete(site: int, subject: object, name: str) -> object:
    _change(site, subject, name, Kind.DELETE)
    return subject


def _change(site: int, subject: object, name: str, kind: Kind) -> None:
    execution = CONTROL.here()
    if execution is not None:
        publish_change(execution, site, subject, name, kind)
    elif is_a(subject, type):
        SORTS.homes.clear()


# -- items -----------------------------------------------------------------------------------------


def load_item(site: int, subject: object, key: object) -> object:
    publish_item(site, subject, key, Kind.READ)
    return subject


def get_item(site: int, subject: object, key: object) -> object:
    publish_item(site, subject, key, Kind.READ)
    return subject[key]  # type: ignore[index]  # the program under proof knows


def store_item(site: int, subject: object, key: object) -> object:
    execution = CONTROL.here() if type(key) is slice else None
    if execution is not None:
        execution.opaque(execution.number(subject), PART)
    publish_item(site, subject, key, Kind.WRITE)
    return subject


def store_part(site: int, subject: object, key: object, new: object) -> object:
    publish_part(site, subject, key, new)
    return subject


def delete_item(site: int, subject: object, key: object) -> object:
    publish_item(site, subject, key, Kind.DELETE)
    return subject


# -- whole values ----------------------------------------------------------------------------------


def truth(site: int, subject: object) -> object:
    """Something that is about to be tested."""
    execution = CONTROL.here()
    if execution is not None and type(subject) is not bool:
        publish_look(execution, site, (subject,), voices.TRUTH, deep=False)
    return subject


def operand(site: int, subject: object) -> object:
    """The only operand of an operator that could change."""
    execution = CONTROL.here()
    if execution is not None:
        publish_look(execution, site, (subject,), _OPERATORS)
    return subject


def operands(site: int, left: object, right: object) -> object:
    """Both operands of an operator; returns the right one."""
    execution = CONTROL.here()
    if execution is not None:
        publish_look(execution, site, (left, right), _OPERATORS)
    return right


_OPERATORS: Final = (*voices.COMPARISON, *voices.ARITHMETIC, *voices.UNARY)


def link(site: int, subject: object) -> object:
    """A link of a chain of comparisons that has no room for a temporary."""
    execution = CONTROL.here()
    if execution is not None:
        for effect in look(execution, (subject,), _OPERATORS, deep=True):
            said = "a chain of comparisons within a comprehension is not observed"
            execution.opaque(effect.subject, said, changes=effect.writes)
        publish_look(execution, site, (subject,), _OPERATORS)
    return subject


def binary(site: int, name: str, left: object, right: object) -> object:
    operands(site, left, right)
    return _PERFORM[name](left, right)


def compare(site: int, name: str, left: object, right: object) -> object:
    if name in ("In", "NotIn"):
        contains(site, left, right)
        return (left in right) is (name == "In")  # type: ignore[operator]  # the program under proof knows
    return binary(site, name, left, right)


_PERFORM: Final[dict[str, Callable[[Any, Any], object]]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": operator.truediv,
    "Mod": operator.mod,
    "FloorDiv": operator.floordiv,
    "MatMult": operator.matmul,
    "Pow": operator.pow,
    "LShift": operator.lshift,
    "RShift": operator.rshift,
    "BitOr": operator.or_,
    "BitXor": operator.xor,
    "BitAnd": operator.and_,
    "Eq": operator.eq,
    "NotEq": operator.ne,
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
}


def show(site: int, subject: object) -> object:
    """Something that is about to be written out as text."""
    execution = CONTROL.here()
    if execution is not None:
        publish_look(execution, site, (subject,), voices.TEXT)
    return subject


def match(site: int, guarded: bool, subject: object) -> object:
    """Something that patterns are about to look into, at once unless guards run in between."""
    execution = CONTROL.here()
    if execution is not None:
        found, complete = reachable((subject,))
        if not complete:
            execution.caveat("a match statement is given too much to be looked into")
        effects = tuple(_matched(execution, item, guarded=guarded) for item in found)
        if effects:
            execution.step(Operation(Kind.READ, effects, site=site, subject=subject))
    return subject


def _matched(execution: Execution, subject: object, *, guarded: bool) -> Effect:
    native = SORTS.of(subject) is Sort.CONTAINER
    number = execution.number(subject) if native else number_of_fields(execution, subject)
    if guarded or not native:
        foreign = SORTS.of(subject) is Sort.FOREIGN
        execution.opaque(number, "a match statement looks into a shared object unseen", changes=foreign)
    return Effect(number, WHOLE, writes=False)


def contains(site: int, key: object, container: object) -> object:
    execution = CONTROL.here()
    if execution is None:
        return container
    sort = SORTS.of(container)
    subject = underlying(container) if sort is Sort.VIEW else container
    keyed = is_a(subject, (dict, set)) and not is_a(container, _OF_VALUES)
    if keyed and not voices.speaks(type(subject), ("__contains__",)):
        execution.step(item_operation(execution, site, subject, key, kind=Kind.CHECK))
    else:
        publish_look(execution, site, (container, key), voices.CONTAINMENT)
    return container


_OF_VALUES: Final[tuple[type, ...]] = (type({}.values()), type({}.items()))
"""Views that compare values."""


def in_place(site: int, target: object, value: object) -> object:
    """The right side of an augmented assignment, evaluated; a container on the left is about to change."""
    if type(target) in _SCALARS and type(value) in _SCALARS:
        return value
    execution = CONTROL.here()
    if execution is None:
        return value
    if fills(target, "__iadd__", value) or fills(target, "__ior__", value):
        return Filling(site, target, "in-place operator", value)
    _publish_in_place(execution, site, target, value)
    return value


_SCALARS: Final = frozenset({int, float, str, bytes, bool, complex})


def _publish_in_place(execution: Execution, site: int, target: object, value: object) -> None:
    sort = SORTS.of(target)
    if sort not in (Sort.CONTAINER, Sort.FOREIGN) or voices.speaks(type(target), voices.ARITHMETIC):
        publish_look(execution, site, (target, value), voices.ARITHMETIC)
        return
    number = execution.number(target)
    effects: tuple[Effect, ...] = (Effect(number, WHOLE, writes=True),)
    if voices.takes_steps(type(target), voices.IN_PLACE):
        execution.opaque(number, unobserved(target))
    if sort is Sort.FOREIGN:
        effects = foreign_effects(execution, target, writes=True)
    elif hasattr(type(value), "__next__") or voices.speaks(type(value), voices.ITERATION):
        execution.opaque(number, HALFWAY.format("in-place operator"))
    effects += look(execution, (value,), voices.ITERATION, deep=False)
    execution.step(Operation(Kind.WRITE, effects, site=site, subject=target))


# -- iteration and unpacking -----------------------------------------------------------------------


def iterate(site: int, subject: object) -> object:
    return subject if CONTROL.here() is None else stepwise(site, subject)


def iterate_apart(site: int, subject: object) -> object:
    """The same where each item is taken apart."""
    return subject if CONTROL.here() is None else stepwise(site, subject, unpacked=True)


def iterate_later(site: int, subject: object) -> object:
    """What an asynchronous loop goes through."""
    return subject if CONTROL.here() is None else stepwise_later(site, subject)


def delegate(site: int, subject: object) -> object:
    """What `yield from` hands over to; a generator must stay itself to be sent to."""
    execution = CONTROL.here()
    if execution is None:
        return subject
    if SORTS.of(subject) in (Sort.CONTAINER, Sort.VIEW):
        return stepwise(site, subject)
    publish_next(site, subject)
    return subject


def unpack(site: int, subject: object) -> object:
    publish_unpacking(site, subject, deep=False)
    return subject


def unpack_apart(site: int, subject: object) -> object:
    """The same where the items are taken apart in turn."""
    publish_unpacking(site, subject)
    return subject


def unpack_late(site: int, subject: object) -> object:
    """Arguments that are unpacked only after the keyword arguments have been evaluated."""
    execution = CONTROL.here()
    if execution is not None:
        for effect in look(execution, (subject,), voices.ITERATION, deep=False):
            execution.opaque(effect.subject, "shared arguments are unpacked later than they are evaluated")
    return unpack(site, subject)


# -- names -----------------------------------------------------------------------------------------


def read_name(site: int, home: str, name: str) -> bool:
    execution = CONTROL.here()
    if execution is not None:
        publish_name(execution, site, home, name, writes=False)
    return True


def write_name(site: int, home: str, name: str, bound: object) -> object:
    execution = CONTROL.here()
    if execution is not None:
        publish_name(execution, site, home, name, writes=True)
    return bound


# -- calls and contexts ----------------------------------------------------------------------------


def callee(site: int, function: object) -> object:
    execution = CONTROL.here()
    if execution is None:
        known = isinstance(function, types.BuiltinFunctionType | type) and CONTROL.now is not None
        return CONTROL.stand_ins.get(function, function) if known else function
    CONTROL.site = site
    return plan_call(execution, site, function)


def context(site: int, manager: object) -> object:
    execution = CONTROL.here()
    if execution is None:
        return manager
    CONTROL.site = site
    sort = SORTS.of(manager)
    if sort in (Sort.LOCK, Sort.MIRROR):
        return lock_at(site, manager)
    if is_a(manager, REDIRECTIONS):
        return Redirection(site, manager)
    if is_a(manager, contextlib.chdir):
        publish_foreign(execution, site, os.chdir, ())
    elif is_keeper(manager):
        if not is_made_on_the_spot(manager):
            publish_keeper(execution, site, manager, "__enter__")
    elif controlled_lock(execution, site, manager) is None and not is_trusted(type(manager).__module__):
        publish_look(execution, site, (manager,), voices.ENTERING, deep=False)
    return manager


def context_later(site: int, manager: object) -> object:
    """An asynchronous context, entered by code that publishes by itself."""
    execution = CONTROL.here()
    if execution is not None:
        CONTROL.site = site
        if is_keeper(manager) and not is_made_on_the_spot(manager):
            publish_keeper(execution, site, manager, "__aenter__")
    return manager


def blind(reason: str) -> None:
    execution = CONTROL.here()
    if execution is not None:
        execution.caveat(reason)


HOOKS: Final[dict[str, Callable[..., object]]] = {
    f"__rh_{hook.__name__}__": hook
    for hook in (
        *(load, store, delete, load_item, get_item, store_item, store_part, delete_item),
        *(truth, operand, operands, link, binary, compare, show, match, contains, in_place),
        *(hand_over, iterate, iterate_apart, iterate_later, delegate, unpack, unpack_apart, unpack_late),
        *(read_name, write_name, callee, context, context_later, blind, slice),
    )
}
"""The names under which instrumented code finds its hooks."""
