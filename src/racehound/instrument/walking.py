"""Ways through a syntax tree; those of `ast` take most of the time in which a large package is rewritten."""

import ast

_NOT_NODES = frozenset(
    {"ctx", "op", "ops"}
    | {"arg", "asname", "attr", "conversion", "id", "is_async", "kind", "kwd_attrs", "level", "module"}
    | {"n", "rest", "s", "simple", "tag", "type_comment"}
)
"""Fields that hold operators and contexts, which say nothing of names and stand nowhere, or plain values."""

_KINDS = [kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)]
_NODES = frozenset(_KINDS)
_PLACED = frozenset(kind for kind in _KINDS if "lineno" in kind._attributes)  # noqa: SLF001 - documented by `ast`
_FIELDS = {kind: tuple(name for name in kind._fields if name not in _NOT_NODES) for kind in _KINDS}
_FIELDS[ast.Constant] = ()

Place = tuple[int, int, int, int]


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly below, in the order of the source, but for operators and contexts."""
    found: list[ast.AST] = []
    held = node.__dict__
    for name in _FIELDS[type(node)]:
        value = held.get(name)
        if type(value) is list:
            found += [item for item in value if type(item) in _NODES]
        elif type(value) in _NODES:
            found.append(value)  # type: ignore[arg-type]  # just found to be a node
    return found


def locate(tree: ast.Module) -> ast.Module:
    """Give each node that has no place that of the node above it."""
    stack: list[tuple[ast.AST, Place]] = [(tree, (1, 0, 1, 0))]
    while stack:
        node, place = stack.pop()
        if type(node) in _PLACED:  # deprecated kinds complain when `isinstance` asks them
            place = _placed(node, place)
        if _FIELDS[type(node)]:
            stack += [(child, place) for child in children(node)]
    return tree


def _placed(node: ast.AST, above: Place) -> Place:
    held = node.__dict__
    line, column, end_line, end_column = above
    place = (
        held.setdefault("lineno", line),
        held.setdefault("col_offset", column),
        held.setdefault("end_lineno", end_line),
        held.setdefault("end_col_offset", end_column),
    )
    return _completed(held, place, above) if None in place else place


def _completed(held: dict[str, int], place: tuple[int | None, ...], above: Place) -> Place:
    """Ends that were left open, which `ast` allows."""
    names = ("end_lineno", "end_col_offset")
    held |= {name: given for name, found, given in zip(names, place[2:], above[2:], strict=True) if found is None}
    return held["lineno"], held["col_offset"], held["end_lineno"], held["end_col_offset"]
