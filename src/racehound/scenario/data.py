"""What is state and what is code."""

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
    return not isinstance(value, _CODE) and not hasattr(type(value), "__get__")


def is_ours(function: types.FunctionType) -> bool:
    """Whether a function belongs to the code under observation."""
    return INSTRUMENTED in function.__globals__
