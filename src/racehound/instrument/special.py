"""Built-in functions that do to attributes and iterators what syntax does, published the same way.

Each takes the site first and then what the original takes.
"""

from collections.abc import Callable

from racehound.engine.control import CONTROL
from racehound.engine.operation import WHOLE, Effect, Kind, Operation
from racehound.instrument.attributes import number_of_fields
from racehound.instrument.fields import publish_change, publish_load
from racehound.instrument.iteration import StepIterator, advance, publish_step, stepwise
from racehound.instrument.kinds import SORTS, Sort
from racehound.instrument.parts import underlying

Function = Callable[..., object]


def iter_(site: int, subject: object, *sentinel: object) -> object:
    if not sentinel or CONTROL.callee is None:
        return iter(subject, *sentinel) if sentinel else iter(stepwise(site, subject))  # type: ignore[call-overload]
    return iter(CONTROL.callee(site, subject), *sentinel)  # type: ignore[call-overload]


def next_(site: int, iterator: object, *default: object) -> object:
    source = iterator if SORTS.of(iterator) is Sort.FOREIGN else None
    return advance(site, source, iterator, *default)  # type: ignore[arg-type]  # the program under proof knows


def reversed_(site: int, subject: object) -> object:
    sort = SORTS.of(subject)
    if sort not in (Sort.CONTAINER, Sort.VIEW):
        return reversed(subject)  # type: ignore[call-overload]
    container = underlying(subject) if sort is Sort.VIEW else subject
    publish_step(site, container)
    return StepIterator(site, container, reversed(subject), unpacked=False)  # type: ignore[call-overload]


def getattr_(site: int, subject: object, name: str, *default: object) -> object:
    return getattr(_loaded(site, subject, name), name, *default)


def hasattr_(site: int, subject: object, name: str) -> bool:
    return hasattr(_loaded(site, subject, name), name)


def _loaded(site: int, subject: object, name: str) -> object:
    execution = CONTROL.here()
    if execution is None or not isinstance(name, str):
        return subject
    return publish_load(execution, site, subject, name)


def setattr_(site: int, subject: object, name: str, new: object) -> None:
    _change(site, subject, name, Kind.WRITE)
    setattr(subject, name, new)


def delattr_(site: int, subject: object, name: str) -> None:
    _change(site, subject, name, Kind.DELETE)
    delattr(subject, name)


def _change(site: int, subject: object, name: str, kind: Kind) -> None:
    execution = CONTROL.here()
    if execution is not None and isinstance(name, str):
        publish_change(execution, site, subject, name, kind)


def dir_(site: int, subject: object) -> object:
    execution = CONTROL.here()
    if execution is not None and SORTS.of(subject) in (Sort.INSTANCE, Sort.CONTAINER, Sort.FOREIGN):
        effect = Effect(number_of_fields(execution, subject), WHOLE, writes=False)
        execution.step(Operation(Kind.READ, (effect,), site=site, subject=subject))
    return dir(subject)


TABLE: dict[object, Function] = {
    iter: iter_,
    next: next_,
    getattr: getattr_,
    hasattr: hasattr_,
    setattr: setattr_,
    delattr: delattr_,
    dir: dir_,
}


def _read_bound(site: int, function: Function, subject: object, name: str) -> object:
    _loaded(site, subject, name)
    return function(name)


def _write_bound(site: int, function: Function, subject: object, name: str, new: object) -> object:
    _change(site, subject, name, Kind.WRITE)
    return function(name, new)


def _delete_bound(site: int, function: Function, subject: object, name: str) -> object:
    _change(site, subject, name, Kind.DELETE)
    return function(name)


ATTRIBUTE_METHODS: dict[str, Function] = {
    "__getattribute__": _read_bound,
    "__setattr__": _write_bound,
    "__delattr__": _delete_bound,
}
"""What `object` does to attributes, as classes with attribute access of their own call it."""
