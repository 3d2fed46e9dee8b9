"""Operations on attributes."""

import sys
import threading
import types
import typing
import weakref
from contextlib import nullcontext
from typing import Any, Final

from racehound.engine.control import CONTROL
from racehound.engine.execution import Execution
from racehound.engine.mirror import Mirror
from racehound.engine.operation import WHOLE, Effect, Kind, Operation, single_effect
from racehound.engine.workers import is_in_job, tell_workers_apart
from racehound.instrument.attributes import (
    Home,
    Place,
    held_by,
    is_used_unseen,
    number_of_class,
    number_of_fields,
    place_of,
)
from racehound.instrument.foreign import foreign_effects
from racehound.instrument.kinds import INSTRUMENTED, SORTS, Sort, is_a
from racehound.instrument.trusted import lock_within, uses_unlocked
from racehound.instrument.weak import behind_proxy, weak_effects


def publish_load(execution: Execution, site: int, subject: object, name: str) -> object:
    """Publish the reading of an attribute; returns the object to read it from."""
    sort = SORTS.of(subject)
    if sort is Sort.INSTANCE:  # first, since it is by far the most frequent
        _load_instance(execution, site, subject, name)
    elif sort is Sort.LOCK or sort is Sort.MIRROR:
        return lock_at(site, subject)
    elif sort is not Sort.PLAIN:
        _OTHERS[sort](execution, site, subject, name)
    elif type(subject) is super:
        _load_super(execution, site, subject, name)
    elif is_a(subject, types.GenericAlias):
        publish_load(execution, site, subject.__origin__, name)  # type: ignore[attr-defined]  # as its type says
    else:
        _mind_thread(execution, subject)
    return subject


def _mind_thread(execution: Execution, subject: object) -> None:
    """What is kept for a thread shows that a worker has done another job before."""
    if is_in_job() and is_a(subject, threading.local):
        tell_workers_apart(execution, "a job of a pool uses something that is kept for its thread")


def publish_field(execution: Execution, site: int, subject: object, name: str, kind: Kind) -> None:
    """Publish the use of an attribute that is plainly held by the object."""
    effects = single_effect(number_of_fields(execution, subject), name, kind is not _READ)
    execution.step(Operation(kind, effects, site, subject, name))


_READ: Final = Kind.READ


def _step(
    execution: Execution, kind: Kind, effects: tuple[Effect, ...], site: int, subject: object, name: str
) -> None:
    execution.step(Operation(kind, effects, site, subject, name))


def _load_instance(execution: Execution, site: int, subject: object, name: str) -> None:
    home, member, owners, _ = place = place_of(type(subject), name)
    if home is Home.OBJECT or home is Home.CLASS:
        effects: tuple[Effect, ...] = (Effect(number_of_fields(execution, subject), name, False),)
        if owners:
            effects += _class_effects(execution, owners, name)
        execution.step(Operation(Kind.READ, effects, site=site, subject=subject, label=name))
    elif home is Home.CODE:
        if name in (held_by(subject) or ()) and not hasattr(type(member), "__set__"):
            own = Effect(number_of_fields(execution, subject), name, writes=False)
            _step(execution, Kind.READ, (own,), site, subject, name)
    elif home is Home.INNER:
        _use_inner(execution, site, subject, name, Kind.READ)
    else:
        _load_through_descriptor(execution, site, subject, name, place)


def _use_inner(execution: Execution, site: int, subject: object, name: str, kind: Kind) -> None:
    """What the methods of a library class use, too: they publish a use of the whole object, or take its lock."""
    writes = kind is not Kind.READ
    used = [subject]
    if uses_unlocked(subject) and not _is_lock((held_by(subject) or {}).get(name)):
        execution.caveat(f"`{name}` of a {type(subject).__qualname__} is used without its lock")
        used.append(lock_within(subject))
    effects = tuple(Effect(execution.number(each), WHOLE, writes) for each in used)
    own = Effect(number_of_fields(execution, subject), name, writes)
    _step(execution, kind, (own, *effects), site, subject, name)


def _is_lock(subject: object) -> bool:
    return SORTS.of(subject) in (Sort.LOCK, Sort.MIRROR) or isinstance(subject, threading.Condition)


def _class_effects(execution: Execution, owners: tuple[type, ...], name: str) -> tuple[Effect, ...]:
    return tuple(
        Effect(number_of_class(execution, owner), name, writes=False) for owner in owners if SORTS.is_ours(owner)
    )


def _load_through_descriptor(execution: Execution, site: int, subject: object, name: str, place: Place) -> None:
    number = number_of_fields(execution, subject)
    if place.home is Home.UNSEEN:
        execution.opaque(number, f"the descriptor `{name}` of a shared object cannot be looked into")
        _step(execution, Kind.CALL, (Effect(number, WHOLE, writes=True),), site, subject, name)
        return
    _step(execution, Kind.READ, (Effect(number, name, writes=False),), site, subject, name)
    if name not in (held_by(subject) or ()):
        _fill_cache(execution, site, subject, name, place.member)


def _fill_cache(execution: Execution, site: int, subject: object, name: str, member: object) -> None:
    """What `cached_property` does, with its writing published and its lock (before 3.12) under control."""
    held = held_by(subject)
    if held is None:
        return  # which is the interpreter's to complain about
    lock: Any = lock_at(site, getattr(member, "lock", None) or nullcontext())
    with lock:
        if name not in held:
            computed = member.func(subject)  # type: ignore[attr-defined]  # a cached_property has one
            effect = Effect(number_of_fields(execution, subject), name, writes=True)
            _step(execution, Kind.WRITE, (effect,), site, subject, name)
            held[name] = computed


def _load_container(execution: Execution, site: int, subject: object, name: str) -> None:
    """Methods are published when they are called; attributes of derived classes as usual."""
    if held_by(subject) is not None or place_of(type(subject), name).home is Home.OBJECT:
        _load_instance(execution, site, subject, name)


def _load_class(execution: Execution, site: int, subject: Any, name: str) -> None:
    if not (name.startswith("__") and name.endswith("__")):
        _load_from_classes(execution, site, subject, subject.__mro__, name)


def _load_super(execution: Execution, site: int, subject: Any, name: str) -> None:
    mro = subject.__self_class__.__mro__
    _load_from_classes(execution, site, subject, mro[mro.index(subject.__thisclass__) + 1 :], name)


def _load_from_classes(
    execution: Execution, site: int, subject: object, classes: tuple[type, ...], name: str
) -> None:
    asked: list[type] = []
    for owner in classes:
        asked.append(owner)
        if name in owner.__dict__:
            if place_of(owner, name).home in (Home.CODE, Home.OBJECT):
                return
            break
    effects = _class_effects(execution, tuple(asked), name)
    if effects:
        _step(execution, Kind.READ, effects, site, subject, name)


def _load_module(execution: Execution, site: int, subject: object, name: str) -> None:
    names = vars(subject)
    if INSTRUMENTED in names or not callable(names.get(name)):
        effect = global_effect(execution, str(names.get("__name__")), name)
        _step(execution, Kind.READ, (effect,), site, subject, name)


def _load_function(execution: Execution, site: int, subject: object, name: str) -> None:
    function = subject.__func__ if isinstance(subject, types.MethodType) else subject
    if not hasattr(type(subject), name):
        effect = Effect(number_of_fields(execution, function), name, writes=False)
        _step(execution, Kind.READ, (effect,), site, function, name)


def _load_foreign(execution: Execution, site: int, subject: object, name: str) -> None:
    if is_a(subject, weakref.ProxyTypes):
        publish_load(execution, site, _through(execution, site, subject), name)
        return
    if _stands_for_its_class(subject, name):
        publish_load(execution, site, vars(subject)["__origin__"], name)
        return
    if callable(getattr(type(subject), name, None)):
        return  # a method: published when it is called
    if isinstance(subject, types.CellType):
        execution.caveat(CELL)
    if is_used_unseen(type(subject)):
        _use_inner(execution, site, subject, name, Kind.READ)
        return
    number = number_of_fields(execution, subject)
    if name in (held_by(subject) or ()):
        _step(execution, Kind.READ, (Effect(number, name, writes=False),), site, subject, name)
        return
    _step(execution, Kind.READ, foreign_effects(execution, subject, writes=False), site, subject, name)


def _stands_for_its_class(subject: object, name: str) -> bool:
    """Whether it is something like `Box[int]`, which hands attributes on to `Box`."""
    return is_a(subject, _ALIAS) and not (name.startswith("__") and name.endswith("__"))


_ALIAS: Final = typing._BaseGenericAlias  # type: ignore[attr-defined]  # noqa: SLF001 - has no other name


def _through(execution: Execution, site: int, proxy: object) -> object:
    """Publish the use of a weak proxy; returns what it stands for."""
    effects = weak_effects(execution, proxy, execution.running)
    execution.step(Operation(Kind.READ, effects, site=site, subject=proxy))
    return behind_proxy(proxy)


CELL: Final = "a variable of a function is used by way of its cell"


def _load_nothing(execution: Execution, site: int, subject: object, name: str) -> None:
    """What cannot change has nothing to publish."""


_OTHERS = {
    Sort.CONTAINER: _load_container,
    Sort.CLASS: _load_class,
    Sort.MODULE: _load_module,
    Sort.FUNCTION: _load_function,
    Sort.FOREIGN: _load_foreign,
    Sort.VIEW: _load_nothing,
    Sort.TUPLE: _load_instance,
}


# -- changes ---------------------------------------------------------------------------------------


def publish_change(execution: Execution, site: int, subject: object, name: str, kind: Kind) -> None:
    """Publish the setting or deleting of an attribute."""
    sort = SORTS.of(subject)
    _mind_thread(execution, subject)
    if is_a(subject, weakref.ProxyTypes):
        publish_change(execution, site, _through(execution, site, subject), name, kind)
    elif _stands_for_its_class(subject, name):
        publish_change(execution, site, vars(subject)["__origin__"], name, kind)
    elif sort is Sort.MODULE:
        _change_module(execution, site, subject, name, kind)
    elif sort is Sort.CLASS:
        _change_class(execution, site, subject, name, kind)
    elif sort not in (Sort.LOCK, Sort.MIRROR) and not (sort is Sort.PLAIN and held_by(subject) is None):
        _change_instance(execution, site, subject, name, kind)


def _change_module(execution: Execution, site: int, subject: object, name: str, kind: Kind) -> None:
    execution.caveat(f"`{name}` of a module is set from outside, where its own functions may read it unseen")
    home = str(vars(subject).get("__name__"))
    _step(execution, kind, (global_effect(execution, home, name, writes=True),), site, subject, name)


def _change_class(execution: Execution, site: int, subject: Any, name: str, kind: Kind) -> None:
    if place_of(subject, name).home not in (Home.OBJECT, Home.CLASS) or name in vars(type):
        execution.caveat(f"the method `{name}` is replaced on a class")
    SORTS.homes.clear()
    _step(execution, kind, (Effect(number_of_class(execution, subject), name, writes=True),), site, subject, name)


def _change_instance(execution: Execution, site: int, subject: object, name: str, kind: Kind) -> None:
    home, member, *_ = place_of(type(subject), name)
    number = number_of_fields(execution, subject)
    if isinstance(member, types.GetSetDescriptorType) and home is Home.CODE and name != "__dict__":
        _change_natively(execution, site, subject, name, kind)
        return
    if home is Home.CODE and name != "__dict__":
        if hasattr(type(member), "__set__"):
            return  # its own code publishes what it does
        execution.caveat(f"the method `{name}` is replaced on an object")
    if home is Home.INNER or is_used_unseen(type(subject)):
        _use_inner(execution, site, subject, name, kind)
        return
    part: object = name
    if name == "__dict__":
        part = WHOLE
        execution.caveat("the dictionary of an object is exchanged for another one")
    if home is Home.UNSEEN:
        execution.opaque(number, f"the descriptor `{name}` of a shared object cannot be looked into")
        part = WHOLE
    _step(execution, kind, (Effect(number, part, writes=True),), site, subject, name)


def _change_natively(execution: Execution, site: int, subject: object, name: str, kind: Kind) -> None:
    """What the interpreter, or a library in C, keeps about an object, such as its class."""
    if isinstance(subject, types.CellType):
        execution.caveat(CELL)
    if SORTS.of(subject) is Sort.FOREIGN:
        effects = foreign_effects(execution, subject, writes=True)
    else:
        execution.caveat(f"`{name}` of an object is set, which others may read unseen")
        effects = (Effect(number_of_fields(execution, subject), WHOLE, writes=True),)
    _step(execution, kind, effects, site, subject, name)


# -- names and locks -------------------------------------------------------------------------------


def global_effect(execution: Execution, home: str, name: str, *, writes: bool = False) -> Effect:
    """A variable of a module, or of a function that others can rebind."""
    module = sys.modules.get(home)
    number = execution.number_of((home,)) if module is None else execution.number(vars(module))
    return Effect(number, name, writes)


def publish_name(execution: Execution, site: int, home: str, name: str, *, writes: bool) -> None:
    effect = global_effect(execution, home, name, writes=writes)
    kind = Kind.WRITE if writes else Kind.READ
    _step(execution, kind, (effect,), site, sys.modules.get(home), name)


def lock_at(site: int, lock: object) -> object:
    """The mirror of a lock, told where the program names it."""
    if SORTS.of(lock) is Sort.LOCK and CONTROL.mirror_of is not None:
        lock = CONTROL.mirror_of(lock)
    if isinstance(lock, Mirror):
        lock.site = site
    return lock
