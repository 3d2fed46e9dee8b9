"""Which statements of a unit the lock must cover.

The whole body where nothing in it is a stranger: that reads best. Otherwise the shortest run of statements from
the first touch to the last, so that a method that starts threads, waits for them and then reads a counter does not
wait while it holds the lock that they need.
"""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from racehound.fixes.locking.choice import Choice
from racehound.fixes.locking.errors import CannotHold
from racehound.fixes.locking.territory import Territory
from racehound.fixes.locking.units import Unit

Statements = Sequence[ast.stmt]


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Adjacent statements of one block, by the lines of the first and the last."""

    function_line: int
    start: int
    end: int
    expression: str
    """The lock as this unit says it: `self._lock`."""
    is_async: bool = False
    """True for `async with`."""


def covered(unit: Unit, marked: set[int], *, has_strangers: Callable[[Statements], bool]) -> Statements:
    """The statements that must run under the lock, without docstring and `global` declarations."""
    body = _after_declarations(unit)
    return _narrow(body, marked, has_strangers) if has_strangers(body) else body


def _after_declarations(unit: Unit) -> Statements:
    has_docstring = ast.get_docstring(unit.node, clean=False) is not None
    body = unit.node.body[1:] if has_docstring else unit.node.body
    start = next(index for index, line in enumerate(body) if not isinstance(line, ast.Global | ast.Nonlocal))
    return body[start:]


def _narrow(block: Statements, marked: set[int], has_strangers: Callable[[Statements], bool]) -> Statements:
    touching = [index for index, statement in enumerate(block) if _contains(statement, marked)]
    run = block[touching[0] : touching[-1] + 1]
    inner = _only_block(run[0], marked) if len(run) == 1 and has_strangers(run) else None
    return _narrow(inner, marked, has_strangers) if inner else run


def _only_block(statement: ast.stmt, marked: set[int]) -> Statements | None:
    """The one block of a compound statement that holds all the touches, if there is one."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Match):
        return None
    parts = (getattr(statement, name, None) for name in ("body", "orelse", "finalbody"))
    blocks: list[list[ast.stmt]] = [block for block in parts if block]
    blocks += [handler.body for handler in getattr(statement, "handlers", ())]
    touching = [block for block in blocks if any(_contains(inner, marked) for inner in block)]
    inside = sum(_count(inner, marked) for block in touching for inner in block)
    if len(touching) != 1 or inside != _count(statement, marked) or touching[0][0].lineno == statement.lineno:
        return None
    if touching[0][0].col_offset == statement.col_offset:  # an `elif`, which the tree has as a block of its own
        return _only_block(touching[0][0], marked)
    return touching[0]


def _contains(node: ast.AST, marked: set[int]) -> bool:
    return _count(node, marked) > 0


def _count(node: ast.AST, marked: set[int]) -> int:
    return sum(id(inner) in marked for inner in ast.walk(node))


def region(
    land: Territory, choice: Choice, unit: Unit, statements: Statements, *, is_async: bool = False
) -> Region:
    owner = unit.scope.receiver or (land.class_node.name if land.class_node else "")
    return Region(
        function_line=unit.node.lineno,
        start=statements[0].lineno,
        end=statements[-1].end_lineno or statements[-1].lineno,
        expression=choice.name if choice.is_global else f"{owner}.{choice.name}",
        is_async=is_async,
    )


def redundant(choice: Choice, unit: Unit, statements: Statements) -> list[int]:
    """Lines of `with` statements that take the lock where it is to be held anyway."""
    inside = identities(statements)
    found = [node for node in unit.withs.get(choice.name, ()) if id(node) in inside]
    if any(item.optional_vars is not None for node in found for item in node.items):
        raise CannotHold(f"`{unit.name}` binds the lock to a name")
    return [node.lineno for node in found]


def identities(statements: Statements) -> set[int]:
    return {id(node) for statement in statements for node in ast.walk(statement)}
