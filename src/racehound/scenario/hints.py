"""Type hints of functions, also those whose names only type checkers import.

`typing.get_type_hints` gives up on all hints of a function if one of them cannot be evaluated. Names that stand
below `if TYPE_CHECKING:` are looked up where they come from, as far as that is loaded already or belongs to the
standard library: nothing of the program is imported for a hint.
"""

import ast
import importlib
import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache

_UNKNOWN = (NameError, TypeError, AttributeError, SyntaxError)


def hints_of(function: Callable[..., object]) -> dict[str, object]:
    """The hints that can be evaluated, by the names of the arguments; of a class those of its constructor."""
    target = function.__init__ if isinstance(function, type) else function  # type: ignore[misc]  # its hints, not a call
    try:
        return typing.get_type_hints(target)
    except _UNKNOWN:
        return dict(_one_by_one(target))


def _one_by_one(function: Callable[..., object]) -> Iterator[tuple[str, object]]:
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    if module is None:
        return
    names = {**_names_for_checkers(module), **vars(module)}
    for name, hint in getattr(function, "__annotations__", {}).items():
        with suppress(*_UNKNOWN):
            yield name, _evaluated(name, hint, names)


def _evaluated(name: str, hint: object, names: Mapping[str, object]) -> object:
    def bearer() -> None: ...

    bearer.__annotations__ = {name: hint}
    return typing.get_type_hints(bearer, dict(names))[name]


@cache
def _names_for_checkers(module: types.ModuleType) -> dict[str, object]:
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return {}
    branches = [
        node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    statements = [statement for branch in branches for statement in branch.body]
    return {name: value for statement in statements for name, value in _imported(statement, module)}


def _imported(statement: ast.stmt, module: types.ModuleType) -> Iterator[tuple[str, object]]:
    if isinstance(statement, ast.ImportFrom):
        source = _loaded("." * statement.level + (statement.module or ""), module)
        for alias in statement.names:
            if hasattr(source, alias.name):
                yield alias.asname or alias.name, getattr(source, alias.name)
    elif isinstance(statement, ast.Import):
        for alias in statement.names:
            source = _loaded(alias.name if alias.asname else alias.name.partition(".")[0], module)
            if source is not None:
                yield alias.asname or alias.name.partition(".")[0], source


def _loaded(name: str, module: types.ModuleType) -> types.ModuleType | None:
    """A module that is there, or that can be had without running anything of the program."""
    if name.startswith("."):
        package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
        name = f"{package.rsplit('.', name.count('.') - 1)[0]}.{name.lstrip('.')}".strip(".")
    if name.partition(".")[0] in sys.stdlib_module_names:
        with suppress(ImportError):
            return importlib.import_module(name)
    return sys.modules.get(name)
