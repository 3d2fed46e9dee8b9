"""Small pieces of syntax that the rewriting puts in."""

import ast
from collections.abc import Iterable

from racehound.instrument.sites import SITES, Site


class Maker:
    """Makes calls of hooks and temporary names for one file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._temporaries = 0

    def site(self, node: ast.expr | ast.stmt, text: str | None = None) -> ast.Constant:
        """The number of a place; taken before its parts are rewritten."""
        shown = text_of(node) if text is None else text
        return ast.Constant(SITES.add(Site(self._path, node.lineno, node.col_offset, shown)))

    def call(self, hook: str, near: ast.AST, *args: ast.expr) -> ast.Call:
        call = ast.Call(ast.Name(f"__rh_{hook}__", ast.Load()), list(args), [])
        return ast.copy_location(call, near)

    def statement(self, hook: str, near: ast.stmt, *args: ast.expr) -> ast.stmt:
        return ast.copy_location(ast.Expr(self.call(hook, near, *args)), near)

    def fresh(self) -> str:
        self._temporaries += 1
        return f"_rh{self._temporaries}"


def text_of(node: ast.AST) -> str:
    """The source of a node; of names and attributes, which are most, without much ado."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name() | ast.Attribute() as value, attr=name):
            return f"{text_of(value)}.{name}"
    return ast.unparse(node)


def stored(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def loaded(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def is_repeatable(value: ast.expr) -> bool:
    """Whether evaluating an expression twice in a row is the same as evaluating it once."""
    return isinstance(value, ast.Name | ast.Constant)


def takes_apart(target: ast.expr) -> bool:
    return isinstance(target, ast.Tuple | ast.List)


def takes_items_apart(target: ast.expr) -> bool:
    """Whether what is bound to a target is unpacked at more than one level."""
    return isinstance(target, ast.Tuple | ast.List) and any(map(takes_apart, target.elts))


def explicit_slices(maker: Maker, key: ast.expr) -> ast.expr:
    """`a:b` as an object, since only the grammar of subscripts has slices."""
    if isinstance(key, ast.Slice):
        bounds = [part or ast.Constant(None) for part in (key.lower, key.upper, key.step)]
        return maker.call("slice", key, *bounds)
    if isinstance(key, ast.Tuple):
        key.elts = [explicit_slices(maker, item) for item in key.elts]
    return key


def looks_inside(patterns: Iterable[ast.pattern]) -> bool:
    inner = ast.MatchClass | ast.MatchMapping | ast.MatchSequence
    return any(isinstance(node, inner) for pattern in patterns for node in ast.walk(pattern))


def move_to_method(call: ast.Call) -> None:
    """Give a call the line that the interpreter gives to calls of methods: that of the method's name."""
    unpacks = any(isinstance(item, ast.Starred) for item in call.args)
    unpacks = unpacks or any(item.arg is None for item in call.keywords)
    if isinstance(call.func, ast.Attribute) and not unpacks and call.lineno != call.func.end_lineno:
        call.lineno = call.func.end_lineno or call.lineno
        call.col_offset = max(0, (call.func.end_col_offset or 0) - len(call.func.attr))
