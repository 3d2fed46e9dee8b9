"""What is state and what is code."""

import sys
import types
import weakref

from racehound.instrument.kinds import INSTRUMENTED, is_a
from racehound.primitives.lru_cache import ControlledCache
from racehound.scenario.absent_locks import AbsentLock
from racehound.scenario.absent_objects import Anything

NAMED = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)
_CODE = (*NAMED, types.ModuleType, staticmethod, classmethod, property, types.MemberDescriptorType)


def is_data(name: str, value: object) -> bool:
    """Whether an attribute of a module, class or function is state rather than code."""
    if name.startswith("__") or name == INSTRUMENTED:
        return False
    if is_a(value, ControlledCache):
        return True
    if is_a(value, _CODE) or type(value) is Anything or is_a(value, AbsentLock):
        return False
    return not hasattr(type(value), "__get__") or is_of_program(type(value))  # a descriptor may keep values itself


def is_withheld(value: object) -> bool:
    """Whether it stands for what may be gone and does not even tell its class, so that nothing can be asked."""
    if issubclass(type(value), weakref.ProxyTypes):
        return True
    try:
        value.__class__  # noqa: B018 - whether this raises is the question
    except Exception:  # noqa: BLE001 - it is code of the program
        return True
    return False


def is_of_program(kind: type) -> bool:
    """Whether a class belongs to the code under observation."""
    return INSTRUMENTED in vars(sys.modules.get(kind.__module__, types))


def is_inner_class(value: object) -> bool:
    """Whether it is a class of the program that is no global of its module, so that others have to lead to it."""
    if not is_a(value, type) or not is_of_program(value):  # type: ignore[arg-type]  # a class
        return False
    return vars(sys.modules[value.__module__]).get(value.__name__) is not value  # type: ignore[attr-defined]  # likewise


def data_of_class(kind: type) -> dict[str, object]:
    """The state that a class keeps itself."""
    return {name: value for name, value in vars(kind).items() if is_data(name, value)}


def is_ours(function: types.FunctionType) -> bool:
    """Whether a function belongs to the code under observation."""
    return INSTRUMENTED in function.__globals__
