"""Fields that count who is at something: one more before it, one fewer behind it.

    self.in_flight += 1
    try:
        reply = await self._send(path)
    finally:
        self.in_flight -= 1

A lock that is held over both makes the count useless: there is never more than one.
"""

import ast
from collections.abc import Iterator

from racehound.fixes.locking.regions import Statements


def counted_in_and_out(block: Statements, fields: frozenset[str]) -> str | None:
    """The field of these, as source text, that the block raises and lowers again."""
    raised = {text for text, operator in _reckoned(block) if isinstance(operator, ast.Add)}
    lowered = {text for text, operator in _reckoned(block) if isinstance(operator, ast.Sub)}
    found = (text for text in sorted(raised & lowered) if text.rpartition(".")[2] in fields)
    return next(found, None)


def _reckoned(block: Statements) -> Iterator[tuple[str, ast.operator]]:
    for node in (node for statement in block for node in ast.walk(statement)):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name | ast.Attribute):
            yield ast.unparse(node.target), node.op
