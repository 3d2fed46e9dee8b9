"""Functions, and objects of abstract classes, that are made up for arguments, as source text."""

import ast
import inspect
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Final

from racehound.scenario.usage import tree_of

NOTHING: Final = "(lambda *args, **kwargs: None)"
FAILING: Final = "(lambda *args, **kwargs: 1 / 0)"


def awaitable_function(names: Mapping[str, object], result: str | None = None) -> str:
    """A function whose result is awaited."""
    value = "" if result is None else f", {result}"
    return f"(lambda *args, **kwargs: {imported('asyncio', names)}.sleep(0{value}))"


def coroutine_function(names: Mapping[str, object]) -> str:
    """A function that says of itself that it is one of coroutines; a lambda cannot."""
    return f"{imported('functools', names)}.partial({imported('asyncio', names)}.sleep, 0)"


def imported(name: str, names: Mapping[str, object]) -> str:
    """A library, by its name where that leads to it."""
    module = sys.modules.get(name)
    return name if module is not None and names.get(name) is module else f"__import__({name!r})"


def is_of_package(kind: type, names: Mapping[str, object]) -> bool:
    """Whether a class belongs to the package of a module, and can be got at from anywhere."""
    top = str(names.get("__name__", "")).partition(".")[0]
    return kind.__module__.partition(".")[0] == top and "<locals>" not in kind.__qualname__


def reference_to(kind: type, names: Mapping[str, object]) -> str:
    """What a class is called among these names; one that a module does not know is fetched."""
    own = next((name for name, value in names.items() if value is kind), None)
    if own is not None or kind.__module__ in (names.get("__name__"), "builtins"):
        return own or kind.__qualname__
    _, dot, rest = kind.__module__.partition(".")
    return f"__import__({kind.__module__!r}){dot}{rest}.{kind.__qualname__}"


def is_incomplete(kind: type) -> bool:
    """Whether there are no objects of the class itself."""
    return inspect.isabstract(kind) or getattr(kind, "_is_protocol", False)


def leaves_open(kind: type) -> bool:
    """Whether methods of a class do nothing but say that others have to write them."""
    members = (inspect.getattr_static(kind, name, None) for name in dir(kind))
    functions = (member.fget if isinstance(member, property) else member for member in members)
    return any(_refuses(function) for function in functions if isinstance(function, types.FunctionType))


def _refuses(function: types.FunctionType) -> bool:
    tree = tree_of(function) if "NotImplementedError" in function.__code__.co_names else None
    match tree.body if isinstance(tree, ast.Module) else []:
        case [ast.FunctionDef(body=[*told, ast.Raise(exc=ast.expr() as raised)])]:
            return not [each for each in told if not isinstance(each, ast.Expr)] and _is_refusal(raised)
    return False


def _is_refusal(raised: ast.expr) -> bool:
    return ast.unparse(raised).partition("(")[0] == "NotImplementedError"


def derived_from(kind: type, names: Mapping[str, object]) -> Iterator[type]:
    """Classes of the program that derive from an abstract one, or a protocol, and are not, nearest first."""
    nearest: list[type] = kind.__subclasses__()
    for each in nearest:
        if not is_incomplete(each) and is_of_package(each, names):
            yield each
    for each in nearest:
        yield from derived_from(each, names)


def stub_of(kind: type, names: Mapping[str, object]) -> str:
    """A class that derives from an abstract one and does nothing where it must do something.

    What a protocol asks for is there already: its own methods do nothing.
    """
    missing = sorted(getattr(kind, "__abstractmethods__", ()))
    methods = (f"{name!r}: {_doing_nothing(kind, name, names)}" for name in missing)
    return f"type('Example', ({reference_to(kind, names)},), {{{', '.join(methods)}}})"


def _doing_nothing(kind: type, name: str, names: Mapping[str, object]) -> str:
    member = inspect.getattr_static(kind, name, None)
    if isinstance(member, property):
        return "None"
    is_coroutine = isinstance(member, types.FunctionType) and inspect.iscoroutinefunction(member)
    return awaitable_function(names) if is_coroutine else NOTHING
