"""Blocks that are left by an exception, where that is another thing than to come to their end.

A breaker counts the blocks that fail, a transaction takes back what was done in them: `__exit__` looks at what it
is given, or the function behind `contextmanager` catches something. Blocks that do neither are the same both ways.
"""

import ast
import dis
import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Final

_ENDED: Final = "exit__(None, None, None)"
_FAILED: Final = "exit__(ValueError, ValueError(), None)"
LEFT: Final = rf"(?:{re.escape('None, None, None')}|(?P<fails>{re.escape('ValueError, ValueError(), None')}))"
"""What `__exit__` is given, as a pattern."""


def failing(block: str) -> str:
    """The same block, left by an exception."""
    return block.replace(_ENDED, _FAILED)


def is_failing(call: str) -> bool:
    return _FAILED in call


def heeds_exceptions(leave: object) -> bool:
    """Whether a method by the name of `__exit__` or `__aexit__` looks at what it is given."""
    code = getattr(leave, "__code__", None)
    if code is None:
        return False
    given = {*code.co_varnames[1 : code.co_argcount]}
    if code.co_flags & inspect.CO_VARARGS:
        given.add(code.co_varnames[code.co_argcount + code.co_kwonlyargcount])
    loads = (found.argval for found in dis.get_instructions(code) if found.opname.startswith("LOAD_"))
    return any(not given.isdisjoint(name if isinstance(name, tuple) else (name,)) for name in loads)


def catches_something(function: Callable[..., object]) -> bool:
    """Whether a generator function catches what is raised where it yields."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return False
    tries = [node for node in ast.walk(tree) if isinstance(node, ast.Try) and node.handlers]
    return any(isinstance(inner, ast.Yield) for node in tries for part in node.body for inner in ast.walk(part))
