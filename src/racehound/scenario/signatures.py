"""How a function is called. A constructor that hands all it is given to its base takes what that one takes.

class Worker(Base):                     class Base:
    def __init__(self, *args, **more):      def __init__(self, age, log): ...
        super().__init__(*args, **more)
"""

import ast
import inspect
import types
from collections.abc import Callable, Iterator
from inspect import Parameter, Signature
from typing import NamedTuple

from racehound.scenario.hints import hints_of
from racehound.scenario.usage import tree_of

Function = Callable[..., object]


def signature_of(function: Function) -> Signature:
    """How it is called; a class that stands for a function (`__wrapped__`) is made by its own constructor."""
    if isinstance(function, type):
        steps = list(_steps(function))
        if len(steps) > 1:
            return _joined(steps)
        if steps and hasattr(function, "__wrapped__"):
            return Signature(steps[0].parameters)
    return inspect.signature(function)


def maker_of(kind: type, name: str) -> Function:
    """The constructor that takes the argument: that of the class, or that of the base which it is handed on to."""
    takers = (step.maker for step in _steps(kind) if any(each.name == name for each in step.parameters))
    return next(takers, kind.__init__)  # type: ignore[misc]  # its code, not a call


def hints_for(function: Function) -> dict[str, object]:
    """The hints of all arguments, those that a base is handed included."""
    if not isinstance(function, type):
        return hints_of(function)
    found: dict[str, object] = {}
    for step in _steps(function):
        found = hints_of(step.maker) | found
    return found or hints_of(function)


class _Step(NamedTuple):
    """One constructor on the way, and those of its parameters that whoever makes an object has to do with."""

    maker: types.FunctionType
    parameters: list[Parameter]


def _steps(kind: type) -> Iterator[_Step]:
    """From the constructor of the class to the last one that it hands what it is given to."""
    skipped, known = 0, set[str]()
    for owner in kind.__mro__:
        maker = vars(owner).get("__init__")
        if maker is None:
            continue
        if not isinstance(maker, types.FunctionType):
            return
        parameters = list(inspect.signature(maker).parameters.values())[1:]
        own = [each for each in parameters[skipped:] if each.name not in known]
        yield _Step(maker, own)
        handed_on = _handed_on(maker, {each.name for each in parameters if each.kind in _COLLECTING})
        if handed_on is None:
            return
        skipped, known = handed_on[0], known | handed_on[1] | {each.name for each in own}


_COLLECTING = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def _handed_on(maker: Function, collected: set[str]) -> tuple[int, set[str]] | None:
    """Where `super().__init__` is given all that was collected: how many others come before, and which by name."""
    tree = tree_of(maker)
    for node in ast.walk(tree) if tree is not None and collected else ():
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"),
                args=args,
                keywords=keywords,
            ):
                stars = {ast.unparse(each.value) for each in args if isinstance(each, ast.Starred)}
                stars |= {ast.unparse(each.value) for each in keywords if each.arg is None}
                if stars == collected:
                    plain = [each for each in args if not isinstance(each, ast.Starred)]
                    return len(plain), {each.arg for each in keywords if each.arg is not None}
    return None


def _joined(steps: list[_Step]) -> Signature:
    """All that is to be given, by name where a base takes it."""
    *above, last = steps
    own = [each for step in above for each in step.parameters if each.kind not in _COLLECTING]
    by_name = any(each.kind is Parameter.VAR_KEYWORD for step in above for each in step.parameters)
    rest = [_named(each) if by_name else each for each in last.parameters]
    try:
        return Signature(sorted([*own, *rest], key=lambda each: each.kind))
    except ValueError:  # what has a default comes before what has none: only names tell them apart
        return Signature([_named(each) for each in (*own, *rest) if each.kind not in _COLLECTING])


def _named(parameter: Parameter) -> Parameter:
    is_plain = parameter.kind is Parameter.POSITIONAL_OR_KEYWORD
    return parameter.replace(kind=Parameter.KEYWORD_ONLY) if is_plain else parameter
