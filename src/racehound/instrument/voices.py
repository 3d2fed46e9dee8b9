"""Whether a special method publishes what it does.

The interpreter calls special methods on its own: `==` runs `__eq__`, an f-string runs `__format__`. Such a method
publishes by itself if it is instrumented; if it is generated or foreign, it uses the object unseen.
"""

import types
from collections.abc import Sequence
from enum import Enum, IntEnum

from racehound.instrument.kinds import SORTS, is_instrumented


class Voice(IntEnum):
    NOTHING = 0
    """There is nothing to hear: the default of `object`, or no such method."""
    OWN = 1
    """Instrumented: it publishes by itself, and so other tasks can run halfway through."""
    GENERATED = 2
    """Made by `dataclass`: reads the fields and does nothing else."""
    UNSEEN = 3
    """Foreign code that does whatever it does to the object."""


TRUTH = ("__bool__", "__len__")
LENGTH = ("__len__",)
ITERATION = ("__iter__", "__next__")
COMPARISON = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
HASHING = ("__hash__", "__eq__")
TEXT = ("__format__", "__str__", "__repr__")
CONTAINMENT = ("__contains__", "__iter__", "__eq__")
ARITHMETIC = tuple(
    f"__{prefix}{name}__"
    for name in "add sub mul matmul truediv floordiv mod pow lshift rshift and xor or".split()  # noqa: SIM905 - a list of words
    for prefix in ("", "r", "i")
)
IN_PLACE = tuple(name for name in ARITHMETIC if name.startswith("__i") and name != "__invert__")
UNARY = ("__neg__", "__pos__", "__invert__")
CALLING = ("__call__",)
ENTERING = ("__enter__", "__exit__")


def voice(kind: type, methods: Sequence[str]) -> Voice:
    """The least outspoken of the methods decides."""
    return max((_voice_of(kind, method) for method in methods), default=Voice.NOTHING)


def speaks(kind: type, methods: Sequence[str]) -> bool:
    """Whether other tasks can run in the middle of one of the methods."""
    return any(_voice_of(kind, method) is Voice.OWN for method in methods)


def takes_steps(kind: type, methods: Sequence[str]) -> bool:
    """Whether one of them is Python code of others: tasks can come in between its steps, unseen."""
    return any(_is_code_of_others(kind, method) for method in methods)


def _is_code_of_others(kind: type, method: str) -> bool:
    if _voice_of(kind, method) is not Voice.UNSEEN:
        return False
    owner = next(owner for owner in kind.__mro__ if method in owner.__dict__)
    return isinstance(owner.__dict__[method], types.FunctionType)


def _voice_of(kind: type, method: str) -> Voice:
    known: Voice | None = SORTS.voices.get((kind, method))
    if known is None:
        known = SORTS.voices[kind, method] = _judge(kind, method)
    return known


def _judge(kind: type, method: str) -> Voice:
    owner = next((owner for owner in kind.__mro__ if method in owner.__dict__), object)
    member = owner.__dict__.get(method)
    if owner is object or member is None or owner.__module__ == Enum.__module__:
        return Voice.NOTHING
    if issubclass(owner, BaseException) and not isinstance(member, types.FunctionType):
        return Voice.NOTHING  # reads the arguments that it was made with
    if isinstance(member, types.FunctionType) and is_instrumented(member):
        return Voice.OWN
    return Voice.GENERATED if "__dataclass_fields__" in owner.__dict__ else Voice.UNSEEN
