"""Loops over things that are listed on the spot: `for work in (read, write): Thread(target=work).start()`."""

import ast

from racehound.source.events import Listed, Shape
from racehound.source.values import outline
from racehound.source.walk import Walk


def note_items(walk: Walk, target: ast.expr, items: ast.expr) -> None:
    """Keeps what the items are, where all of them have names."""
    if not isinstance(target, ast.Name) or not isinstance(items, ast.Tuple | ast.List) or not items.elts:
        return
    if all(isinstance(item, ast.Name | ast.Attribute) for item in items.elts):
        values = tuple(outline(walk, item) for item in items.elts)
        if all(value.shape is Shape.PLACE for value in values):
            walk.facts.loops.append(Listed(len(walk.events), target.id, values))
