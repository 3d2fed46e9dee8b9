"""What is state and what is code."""

import sys
import types

from racehound.instrument.kinds import INSTRUMENTED
from racehound.primitives.lru_cache import ControlledCache

NAMED = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, type)
_CODE = (*NAMED, types.ModuleType, staticmethod, classmethod, property, types.MemberDescriptorType)


def is_data(name: str, value: object) -> bool:
    """Whether an attribute of a module, class or function is state rather than code."""
    if name.startswith("__") or name == INSTRUMENTED:
        return False
    if isinstance(value, ControlledCache):
        return True
    if isinstance(value, _CODE):
        return False
    return not hasattr(type(value), "__get__") or is_of_program(type(value))  # a descriptor may keep values itself


def is_of_program(kind: type) -> bool:
    """Whether a class belongs to the code under observation."""
    return INSTRUMENTED in vars(sys.modules.get(kind.__module__, types))


def is_inner_class(value: object) -> bool:
    """Whether it is a class of the program that is no global of its module, so that others have to lead to it."""
    if not isinstance(value, type) or not is_of_program(value):
        return False
    return vars(sys.modules[value.__module__]).get(value.__name__) is not value


def data_of_class(kind: type) -> dict[str, object]:
    """The state that a class keeps itself."""
    return {name: value for name, value in vars(kind).items() if is_data(name, value)}


def is_ours(function: types.FunctionType) -> bool:
    """Whether a function belongs to the code under observation."""
    return INSTRUMENTED in function.__globals__
