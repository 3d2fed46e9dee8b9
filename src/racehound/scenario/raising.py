"""Functions that raise what the code that calls them catches."""

import ast
from collections.abc import Callable, Sequence
from typing import Final

from racehound.scenario.stand_ins import FAILING
from racehound.scenario.usage import tree_of

_FAULT: Final = "1 / 0"
_RAISING: Final = {
    "AttributeError": "None.missing",
    "IndexError": "[][0]",
    "KeyError": "{}['missing']",
    "LookupError": "{}['missing']",
    "StopIteration": "next(iter(()))",
    "TypeError": "len(1)",
    "ValueError": "int('a')",
}
_OTHER: Final = "(_ for _ in ()).throw({}('a'))"
_GENERAL: Final = frozenset({"ArithmeticError", "BaseException", "Exception", "ZeroDivisionError"})


def raising_what_is_caught(texts: Sequence[str], function: Callable[..., object]) -> list[str]:
    """Calls that are given a function that fails, with one for each kind of exception that is caught."""
    tree = tree_of(function)
    failing = [text for text in texts if FAILING in text]
    if tree is None or not failing:
        return []
    handlers = [node.type for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler) and node.type]
    kinds = [kind for held in handlers for kind in (held.elts if isinstance(held, ast.Tuple) else [held])]
    names = [name for name in dict.fromkeys(map(ast.unparse, kinds)) if name not in _GENERAL]
    return [text.replace(_FAULT, _RAISING.get(name, _OTHER.format(name))) for text in failing for name in names]
