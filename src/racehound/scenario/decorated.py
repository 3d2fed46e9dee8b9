"""Functions behind the objects that decorators put in their place: the command of a tool, the task of a queue."""

import types
from typing import Final

from racehound.scenario.data import is_of_program
from racehound.scenario.insides import dictionary_of

_KEPT_AS: Final = ("callback", "fn", "func", "function", "run")


def function_behind(value: object) -> tuple[str, types.FunctionType] | None:
    """The attribute of an object that holds the function of the program it was made of, and that function."""
    is_code = isinstance(value, types.FunctionType | types.MethodType | type | types.ModuleType)
    if is_code or is_of_program(type(value)):  # which says itself what it is to be called
        return None
    for name in _KEPT_AS:
        held = (dictionary_of(value) or {}).get(name)
        if isinstance(held, types.FunctionType):
            _declare(held, (dictionary_of(value) or {}).get("params"))
            return name, held
    return None


def _declare(function: types.FunctionType, parameters: object) -> None:
    """Commands know which of their arguments are texts, as most are; their functions do not say so."""
    for parameter in parameters if isinstance(parameters, list) else ():
        name, kind = getattr(parameter, "name", ""), getattr(getattr(parameter, "type", None), "name", "")
        if kind in ("text", "path", "filename", "directory", "file"):
            function.__annotations__.setdefault(name, str)
