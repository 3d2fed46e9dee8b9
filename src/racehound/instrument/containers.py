"""Which part of a built-in container an operation reads or writes.

A method that is not listed counts as a write to the whole: a wrong guess may only cost executions.
"""

import collections
from collections.abc import Callable, Hashable, Mapping
from typing import Any

from racehound.engine.execution import Execution
from racehound.engine.operation import SHAPE, WHOLE, Effect, Kind, Operation
from racehound.instrument.kinds import SORTS, Sort, is_a
from racehound.instrument.looking import look
from racehound.instrument.parts import elements
from racehound.instrument.voices import COMPARISON, HASHING, ITERATION, TEXT, speaks

_SILENT = frozenset({"copy", "get", "__getitem__", "__len__", "__iter__", "__reversed__", "__sizeof__"})
_SET_ALGEBRA = frozenset(
    {"difference", "intersection", "isdisjoint", "issubset", "issuperset", "symmetric_difference", "union"}
    | {f"__{name}__" for name in ("and", "or", "sub", "xor", "rand", "ror", "rsub", "rxor")}
)
_TEXT = frozenset({"__repr__", "__str__", "__format__"})
_COMPARING = frozenset({"__contains__", "count", "index", *COMPARISON})
_BYTES = frozenset(
    {"decode", "find", "hex", "endswith", "startswith", "join", "split", "strip", "tobytes", "tolist"}
)
READERS = _SILENT | _SET_ALGEBRA | _TEXT | _COMPARING | _BYTES | {"__add__", "__mul__", "__rmul__"}
VIEW_MAKERS = frozenset({"keys", "values", "items"})
_KEYED = frozenset({"get", "__getitem__", "__contains__", "pop", "setdefault", "__setitem__", "__delitem__"})
_SEARCHING = _COMPARING | {"remove", "sort"}
_CONSUMING = _SET_ALGEBRA | frozenset(
    {"__add__", "__iadd__", "__ior__", "__iand__", "__isub__", "__ixor__", "__init__", "extend", "extendleft"}
    | {"update", "difference_update", "intersection_update", "symmetric_difference_update", "__setitem__", "join"}
)

_EXACT_KEYS = (str, int, float, bool, bytes, type(None))

HALFWAY = "`{}` of a shared container runs other code halfway through"


def part_of(key: object) -> Hashable:
    """The part of a dictionary that a key names; keys with equality of their own may be any part."""
    if type(key) is tuple:
        return key if all(_is_exact(item) for item in key) else WHOLE
    return key if _is_exact(key) else WHOLE


def _is_exact(key: object) -> bool:
    return type(key) in _EXACT_KEYS and key == key  # noqa: PLR0124 - false for NaN, which is found by identity


def runs_code(key: object) -> bool:
    """Whether code of the program runs when something is looked for under that key."""
    if SORTS.of(key) is Sort.TUPLE:
        return any(runs_code(item) for item in elements(key)) or speaks(type(key), HASHING)
    return speaks(type(key), HASHING)


def item_effects(execution: Execution, container: object, key: object, *, writes: bool) -> tuple[Effect, ...]:
    """The effects of reading or writing one item."""
    number = execution.number(container)
    if runs_code(key):
        said = f"the `__hash__` or `__eq__` of a {type(key).__qualname__} runs halfway through"
        execution.opaque(number, said, changes=writes)
    part = part_of(key) if is_a(container, dict) else WHOLE
    if writes:
        _note_module(execution, container)
    if not writes and not _makes_items(execution, container, key, part):
        return (Effect(number, part, writes=False),)
    if part is WHOLE:
        return (Effect(number, WHOLE, writes=True),)
    return Effect(number, part, writes=True), Effect(number, SHAPE, writes=True)


def _note_module(execution: Execution, container: object) -> None:
    """Functions read the variables of their own module without a word, unless one of them is said to set them."""
    if is_a(container, dict) and _HAS(container, "__builtins__"):
        execution.caveat(
            "variables of a module are set from outside, where its own functions may read them unseen"
        )


def _makes_items(execution: Execution, container: Any, key: object, part: Hashable) -> bool:
    """Whether reading a missing item puts it there."""
    factory = _FACTORY(container) if is_a(container, collections.defaultdict) else None
    if factory is None:
        return False
    if _is_code(factory):
        execution.opaque(execution.number(container), HALFWAY.format("default_factory"))
    return part is WHOLE or not _HAS(container, key)


def fills_in(container: object, key: object) -> bool:
    """Whether a missing item is made by code of the program, so that to read it is several steps."""
    if type(container) is not collections.defaultdict or part_of(key) is WHOLE:
        return False
    return _is_code(_FACTORY(container))


def _is_code(factory: Any) -> bool:
    return factory is not None and (SORTS.of(factory) is not Sort.CLASS or SORTS.is_ours(factory))


# Past whatever a derived class makes of them.
_FACTORY: Callable[[Any], Any] = vars(collections.defaultdict)["default_factory"].__get__
_HAS: Callable[[Any, object], bool] = vars(dict)["__contains__"]


def item_operation(
    execution: Execution, site: int, container: object, key: object, *, kind: Kind, label: str = ""
) -> Operation:
    """Reading, writing, deleting or asking for one item."""
    writes = kind in (Kind.WRITE, Kind.DELETE)
    effects = item_effects(execution, container, key, writes=writes)
    operation = Operation(kind, effects, site=site, subject=container, label=label)
    if kind is Kind.READ and is_a(container, collections.defaultdict):
        operation.refresh = lambda: item_effects(execution, container, key, writes=False)
    return operation


def call_operation(
    execution: Execution,
    site: int,
    container: object,
    method: str,
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
) -> Operation:
    """A call of a built-in method of a container."""
    kind = Kind.READ if method in READERS else Kind.WRITE
    label = f"{method}({', '.join(map(_short, args))})"
    if is_a(container, dict) and method in _KEYED and args:
        return item_operation(execution, site, container, args[0], kind=kind, label=label)
    number = execution.number(container)
    if kind is Kind.WRITE:
        _note_module(execution, container)
    if any(hasattr(type(item), "__next__") for item in args) or (
        method == "sort" and kwargs.get("key") is not None
    ):
        execution.opaque(number, HALFWAY.format(method))
    if any(runs_code(item) for item in args[:1]):
        execution.opaque(number, HALFWAY.format(method))

    def effects() -> tuple[Effect, ...]:
        own = Effect(number, WHOLE, writes=kind is Kind.WRITE)
        return tuple(dict.fromkeys((own, *_looked_at(execution, container, method, (*args, *kwargs.values())))))

    return Operation(kind, effects(), site=site, subject=container, label=label, refresh=effects)


def _looked_at(
    execution: Execution, container: object, method: str, args: tuple[object, ...]
) -> tuple[Effect, ...]:
    if method in _SEARCHING:
        return look(execution, (container, *args), COMPARISON, deep=True)
    if method in _TEXT:
        return look(execution, (container,), TEXT, deep=True)
    return look(execution, args, ITERATION, deep=False) if method in _CONSUMING else ()


def _short(value: object) -> str:
    if type(value) not in _EXACT_KEYS:
        return type(value).__name__
    text = repr(value)
    return text if len(text) <= 30 else text[:27] + "..."
