"""What instrumented code calls before each operation.

A hook publishes and returns what it was given; the operation itself is the interpreter's. Hooks are called
from every thread that runs instrumented code and do nothing unless that thread is the running task.
"""

import sys
import types
from _thread import get_ident

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.mirror import Mirror
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument import containers
from racehound.instrument.attributes import Home, home_of
from racehound.instrument.calls import ContainerProxy, plan_call, stepwise
from racehound.instrument.kinds import SORTS, Sort

_HOMES: dict[tuple[type, str], tuple[Home, type | None]] = {}


def _publish(
    execution: Execution, kind: Kind, effects: tuple[Effect, ...], site: int, subject: object, label: str = ""
) -> None:
    execution.step(Operation(kind, effects, site=site, subject=subject, label=label))


# -- attributes ------------------------------------------------------------------------------------


def load(site: int, subject: object, name: str) -> object:
    if get_ident() != CONTROL.ident:
        CONTROL.here()
        return subject
    execution = CONTROL.execution
    sort = SORTS.of(subject)
    if sort is Sort.PLAIN or execution is None:
        return subject
    if sort is Sort.INSTANCE:
        _load_instance(execution, site, subject, name)
    elif sort is Sort.CONTAINER:
        return _load_container(execution, site, subject, name)
    elif sort is Sort.LOCK or sort is Sort.MIRROR:
        return _lock_at(site, subject)
    else:
        _load_other(execution, site, subject, name, sort)
    return subject


def _load_instance(execution: Execution, site: int, subject: object, name: str) -> None:
    if name == "__dict__":
        execution.caveat("`__dict__` of an object is used directly")
    if name in getattr(subject, "__dict__", ()):
        _publish(
            execution, Kind.READ, (Effect(execution.number(subject), name, writes=False),), site, subject, name
        )
        return
    home, owner = _home(type(subject), name)
    if home is Home.CODE:
        return
    effects: tuple[Effect, ...] = (Effect(execution.number(subject), name, writes=False),)
    if owner is not None:
        effects = (*effects, Effect(execution.number(owner), name, writes=False))
    _publish(execution, Kind.READ, effects, site, subject, name)


def _home(kind: type, name: str) -> tuple[Home, type | None]:
    known = _HOMES.get((kind, name))
    if known is None:
        known = _HOMES[kind, name] = home_of(kind, name)
    return known


def _load_container(execution: Execution, site: int, subject: object, name: str) -> object:
    """Container methods are published when they are called; attributes of derived classes as usual."""
    if name in getattr(subject, "__dict__", ()):
        _load_instance(execution, site, subject, name)
        return subject
    home, owner = _home(type(subject), name)
    if home is Home.CODE:
        return ContainerProxy(site, subject)
    if owner is not None:
        _load_instance(execution, site, subject, name)
    return subject


def _load_other(execution: Execution, site: int, subject: object, name: str, sort: Sort) -> None:
    if sort is Sort.CLASS:
        _load_class(execution, site, subject, name)
    elif sort is Sort.MODULE:
        if not callable(getattr(subject, name, None)):
            _publish(
                execution,
                Kind.READ,
                (_global_effect(execution, _module_name(subject), name),),
                site,
                subject,
                name,
            )
    elif sort is Sort.FOREIGN and not callable(getattr(type(subject), name, None)):
        number = execution.number(subject)
        execution.opaque(number, f"a {type(subject).__qualname__} is shared, and its inner state is not observed")
        _publish(execution, Kind.READ, (Effect(number, WHOLE, writes=False),), site, subject, name)


def _load_class(execution: Execution, site: int, subject: object, name: str) -> None:
    if not isinstance(subject, type) or name.startswith("__"):
        return
    for owner in subject.__mro__:
        if name in owner.__dict__:
            if _home(owner, name)[0] is not Home.CODE:
                _publish(
                    execution,
                    Kind.READ,
                    (Effect(execution.number(owner), name, writes=False),),
                    site,
                    subject,
                    name,
                )
            return
    _publish(execution, Kind.READ, (Effect(execution.number(subject), name, writes=False),), site, subject, name)


def _module_name(module: object) -> str:
    return str(getattr(module, "__name__", ""))


def _global_effect(execution: Execution, home: str, name: str, *, writes: bool = False) -> Effect:
    return Effect(execution.number_of((home,)), name, writes)


def store(site: int, subject: object, name: str) -> object:
    _change_attribute(site, subject, name, Kind.WRITE)
    return subject


def delete(site: int, subject: object, name: str) -> object:
    _change_attribute(site, subject, name, Kind.DELETE)
    return subject


def _change_attribute(site: int, subject: object, name: str, kind: Kind) -> None:
    execution = CONTROL.here()
    if execution is None:
        return
    sort = SORTS.of(subject)
    if sort is Sort.MODULE:
        execution.caveat(f"`{name}` of a module is set from outside, where its own functions may read it unseen")
        _publish(
            execution,
            kind,
            (_global_effect(execution, _module_name(subject), name, writes=True),),
            site,
            subject,
            name,
        )
        return
    if sort is Sort.CLASS:
        _HOMES.clear()
    elif _home(type(subject), name)[0] is Home.CODE:
        if not hasattr(_member(type(subject), name), "__set__"):
            execution.caveat(f"the method `{name}` is replaced on an object")
        else:
            return  # a property or descriptor: its own code publishes what it does
    _publish(execution, kind, (Effect(execution.number(subject), name, writes=True),), site, subject, name)


def _member(kind: type, name: str) -> object:
    return next((owner.__dict__[name] for owner in kind.__mro__ if name in owner.__dict__), None)


# -- items -----------------------------------------------------------------------------------------


def load_item(site: int, subject: object, key: object) -> object:
    execution = CONTROL.here()
    if execution is not None:
        _publish_item(execution, site, subject, key, writes=False, kind=Kind.READ)
    return subject


def get_item(site: int, subject: object, key: object) -> object:
    """The one hook that performs: where the grammar has no room for a temporary."""
    return load_item(site, subject, key)[key]  # type: ignore[index]  # the program under proof knows


def store_item(site: int, subject: object, key: object) -> object:
    execution = CONTROL.here()
    if execution is not None:
        _publish_item(execution, site, subject, key, writes=True, kind=Kind.WRITE)
    return subject


def delete_item(site: int, subject: object, key: object) -> object:
    execution = CONTROL.here()
    if execution is not None:
        _publish_item(execution, site, subject, key, writes=True, kind=Kind.DELETE)
    return subject


def _publish_item(
    execution: Execution, site: int, subject: object, key: object, *, writes: bool, kind: Kind
) -> None:
    sort = SORTS.of(subject)
    if sort is Sort.CONTAINER:
        effects = (containers.write_item if writes else containers.read_item)(execution, subject, key)
        _publish(execution, kind, effects, site, subject)
    elif sort is Sort.FOREIGN:
        number = execution.number(subject)
        execution.opaque(number, f"a {type(subject).__qualname__} is shared, and its inner state is not observed")
        _publish(execution, kind, (Effect(number, WHOLE, writes=True),), site, subject)


# -- whole values ----------------------------------------------------------------------------------


def value(site: int, subject: object) -> object:
    """Something that a test, an operator or a comparison is about to look at as a whole."""
    execution = CONTROL.here()
    if execution is not None:
        _publish_wholes(execution, site, (subject,), Kind.READ)
    return subject


def operands(site: int, left: object, right: object) -> object:
    execution = CONTROL.here()
    if execution is not None:
        _publish_wholes(execution, site, (left, right), Kind.READ)
    return right


def show(site: int, subject: object) -> object:
    execution = CONTROL.here()
    if execution is not None:
        _publish_wholes(execution, site, (subject,), Kind.READ)
    return subject


def _publish_wholes(execution: Execution, site: int, subjects: tuple[object, ...], kind: Kind) -> None:
    effects: list[Effect] = []
    for subject in subjects:
        sort = SORTS.of(subject)
        if sort is Sort.VIEW:
            effects.extend(containers.read_whole(execution, containers.underlying(subject)))
        elif sort is Sort.CONTAINER or isinstance(subject, tuple):
            inner = containers.nested(subject) or [subject]
            effects.extend(
                Effect(execution.number(item), WHOLE, writes=False) for item in inner if not _fixed(item)
            )
    if effects:
        _publish(execution, kind, tuple(effects), site, subjects[0])


def _fixed(item: object) -> bool:
    return isinstance(item, tuple | frozenset)


def contains(site: int, key: object, container: object) -> object:
    execution = CONTROL.here()
    if execution is None:
        return container
    sort = SORTS.of(container)
    if sort is Sort.CONTAINER:
        if isinstance(container, dict):
            part = containers.part_of(key)
            effects: tuple[Effect, ...] = (Effect(execution.number(container), part, writes=False),)
        else:
            effects = containers.read_whole(execution, container)
        _publish(execution, Kind.CHECK, effects, site, container)
    elif sort is Sort.VIEW:
        _publish(
            execution,
            Kind.CHECK,
            containers.read_whole(execution, containers.underlying(container)),
            site,
            container,
        )
    return container


def in_place(site: int, target: object, operand: object) -> object:
    """The right side of an augmented assignment, evaluated; a container on the left is about to change."""
    execution = CONTROL.here()
    if execution is None:
        return operand
    if SORTS.of(target) is Sort.CONTAINER:
        effects = [Effect(execution.number(target), WHOLE, writes=True)]
        if SORTS.of(operand) is Sort.CONTAINER:
            effects.append(Effect(execution.number(operand), WHOLE, writes=False))
        _publish(execution, Kind.WRITE, tuple(effects), site, target)
    else:
        _publish_wholes(execution, site, (operand,), Kind.READ)
    return operand


def unpack(site: int, subject: object) -> object:
    execution = CONTROL.here()
    if execution is not None:
        sort = SORTS.of(subject)
        if sort is Sort.CONTAINER:
            _publish(execution, Kind.READ, containers.read_whole(execution, subject), site, subject)
        elif sort is Sort.VIEW:
            _publish(
                execution,
                Kind.READ,
                containers.read_whole(execution, containers.underlying(subject)),
                site,
                subject,
            )
    return subject


# -- iteration -------------------------------------------------------------------------------------


def iterate(site: int, subject: object) -> object:
    return stepwise(site, subject)


# -- names -----------------------------------------------------------------------------------------


def read_name(site: int, home: str, name: str) -> bool:
    execution = CONTROL.here()
    if execution is not None:
        _publish(execution, Kind.READ, (_global_effect(execution, home, name),), site, sys.modules.get(home), name)
    return True


def write_name(site: int, home: str, name: str, bound: object) -> object:
    execution = CONTROL.here()
    if execution is not None:
        _publish(
            execution,
            Kind.WRITE,
            (_global_effect(execution, home, name, writes=True),),
            site,
            sys.modules.get(home),
            name,
        )
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
    if CONTROL.here() is None:
        return manager
    CONTROL.site = site
    return _lock_at(site, manager) if SORTS.of(manager) in (Sort.LOCK, Sort.MIRROR) else manager


def _lock_at(site: int, lock: object) -> object:
    mirror = lock
    if not isinstance(lock, Mirror) and CONTROL.mirror_of is not None:
        mirror = CONTROL.mirror_of(lock)
    if isinstance(mirror, Mirror):
        mirror.site = site
    return mirror


def blind(reason: str) -> None:
    execution = CONTROL.here()
    if execution is not None:
        execution.caveat(reason)
