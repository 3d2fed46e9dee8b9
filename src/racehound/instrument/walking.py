"""Ways through a syntax tree; those of `ast` take most of the time in which a large package is rewritten."""

import ast

_WITHOUT_PLACE = frozenset({"ctx", "op", "ops"})
"""Fields that hold operators and contexts: they say nothing of names, and stand nowhere."""

_KINDS = [kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)]
_PLACED = frozenset(kind for kind in _KINDS if "lineno" in kind._attributes)  # noqa: SLF001 - documented by `ast`
_FIELDS = {kind: tuple(name for name in kind._fields if name not in _WITHOUT_PLACE) for kind in _KINDS}

Place = tuple[int, int, int, int]


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below, in the order of the source, but for operators and contexts."""
    found: list[ast.AST] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found.extend(item for item in value if isinstance(item, ast.AST))
    return found


def locate(tree: ast.Module) -> ast.Module:
    """Give each node that has no place that of the node above it."""
    stack: list[tuple[ast.AST, Place]] = [(tree, (1, 0, 1, 0))]
    while stack:
        node, place = stack.pop()
        if type(node) in _PLACED:  # deprecated kinds complain when `isinstance` asks them
            place = _placed(node, place)
        stack.extend((child, place) for child in children(node))
    return tree


def _placed(node: ast.AST, above: Place) -> Place:
    held = vars(node)
    line, column, end_line, end_column = above
    return (
        held.setdefault("lineno", line),
        held.setdefault("col_offset", column),
        _given(held, "end_lineno", end_line),
        _given(held, "end_col_offset", end_column),
    )


def _given(held: dict[str, int | None], name: str, above: int) -> int:
    found = held.get(name)
    if found is None:
        found = held[name] = above
    return found
