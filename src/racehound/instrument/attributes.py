"""Where an attribute is found: in the object, in a slot, in its class, or nowhere yet."""

import types
from enum import Enum

_CODE = (
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType),
    *(classmethod, staticmethod, property, types.ClassMethodDescriptorType, types.MethodWrapperType),
)
_SLOTS = (types.MemberDescriptorType,)


class Home(Enum):
    OBJECT = "object"
    """In the object itself, or missing: another task could put it there."""
    CODE = "code"
    """A method, property or descriptor: what it does is published where it does it."""
    CLASS = "class"
    """A value of the class that the object may cover with one of its own."""


def home_of(kind: type, name: str) -> tuple[Home, type | None]:
    """Where instances of a class find an attribute that they do not hold themselves."""
    for owner in kind.__mro__:
        if name in owner.__dict__:
            value = owner.__dict__[name]
            if isinstance(value, _SLOTS):
                return Home.OBJECT, None
            if isinstance(value, _CODE) or hasattr(type(value), "__get__"):
                return Home.CODE, None
            return Home.CLASS, owner
    return Home.OBJECT, None
