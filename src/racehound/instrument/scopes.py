"""Which names of a function live where other functions can rebind them.

A local variable belongs to its call alone. A global that some function declares `global`, a variable that an inner
function declares `nonlocal`, and one that is bound more than once while inner functions read it can all change
under the feet of every function that uses them.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator

from racehound.instrument.walking import children

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
UNSEEN_CALLS = frozenset({"globals", "eval", "exec"})


_BINDING_NOTHING = frozenset(
    {ast.Attribute, ast.Call, ast.Constant, ast.Expr, ast.Subscript, ast.keyword, ast.Return}
)
_SAYING_NOTHING = frozenset(
    {ast.Attribute, ast.Constant, ast.Name, ast.Expr, ast.Subscript, ast.keyword, ast.Return}
)
"""Kinds of which most nodes are, and of which nothing is to be learned."""


class Scope:
    """The names of one function."""

    def __init__(self, node: Function, outer: "Scope | None", qualname: str) -> None:
        self.outer = outer
        self.qualname = qualname
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.used: set[str] = set()
        self.cells: set[str] = set()  # own variables that can change while an inner function runs
        self.module_names: set[str] = set()  # globals that some function of the module rebinds
        self.unseen: list[str] = []
        self.yields = False  # a generator
        self._bindings = Counter(argument.arg for argument in _arguments(node.args))
        self.nodes = list(_own_nodes(node))
        for item, weight in self.nodes:
            self._learn(item, weight)
        self.bound = self._bindings.keys() - self.globals - self.nonlocals

    def _learn(self, node: ast.AST, weight: int) -> None:
        if type(node) in _BINDING_NOTHING:
            return
        match node:
            case ast.Global(names=names):
                self.globals.update(names)
            case ast.Nonlocal(names=names):
                self.nonlocals.update(names)
            case ast.Yield() | ast.YieldFrom():
                self.yields = True
            case ast.Name(id=name, ctx=ast.Load()):
                self.used.add(name)
            case _:
                self._bindings.update(dict.fromkeys(_bound_names(node), weight))

    @property
    def rebound(self) -> set[str]:
        """Own variables that are bound more than once."""
        return {name for name, times in self._bindings.items() if times > 1} & self.bound

    def owner_of(self, name: str) -> "Scope | None":
        """The function whose variable an inner function means by `name`."""
        scope = self.outer
        while scope is not None and name not in scope.bound:
            scope = scope.outer
        return scope

    def home_of(self, name: str) -> str | None:
        """Where a shared name lives: "" for the module, a qualified name for a function, None if not shared."""
        if name in self.bound:
            return self.qualname if name in self.cells else None
        if name not in self.globals:
            owner = self.owner_of(name)
            if owner is not None:
                return owner.qualname if name in owner.cells else None
        return "" if name in self.module_names else None


def _bound_names(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in names)


def _postpones(statement: ast.stmt) -> bool:
    match statement:
        case ast.ImportFrom(module="__future__", names=names):
            return any(alias.name == "annotations" for alias in names)
    return False


class ScopeTable:
    def __init__(self, tree: ast.Module) -> None:
        self._scopes: dict[ast.AST, Scope] = {}
        self.evaluates_annotations = sys.version_info < (3, 14) and not any(map(_postpones, tree.body))
        """Whether those of a function are, where it is defined."""
        self._build(tree, None, "")
        rebound = {name for scope in self._scopes.values() for name in scope.globals}
        for scope in self._scopes.values():
            scope.module_names = rebound
            self._find_cells(scope)
        for scope in self._scopes.values():
            scope.unseen = list(dict.fromkeys(_unseen(scope)))
            scope.nodes = []

    def of(self, node: ast.AST) -> Scope:
        return self._scopes[node]

    def _find_cells(self, scope: Scope) -> None:
        for name in scope.nonlocals | (scope.used - scope.bound):
            owner = scope.owner_of(name)
            if owner is not None and (name in scope.nonlocals or name in owner.rebound):
                owner.cells.add(name)

    def _build(self, node: ast.AST, outer: Scope | None, prefix: str) -> None:
        for child in children(node):
            if isinstance(child, Function):
                name = getattr(child, "name", "<lambda>")
                scope = Scope(child, outer, f"{prefix}{name}:{child.lineno}:{child.col_offset}")
                self._scopes[child] = scope
                self._build(child, scope, f"{prefix}{name}.")
            elif isinstance(child, ast.ClassDef):
                self._build(child, outer, f"{prefix}{child.name}.")
            else:
                self._build(child, outer, prefix)


def _arguments(args: ast.arguments) -> Iterator[ast.arg]:
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs)
    yield from (extra for extra in (args.vararg, args.kwarg) if extra is not None)


def _own_nodes(node: ast.AST, start: int = 1) -> Iterator[tuple[ast.AST, int]]:
    """All nodes of a function but those of functions and classes inside it; 2 if they may run more than once.

    The variable of a comprehension is its own and is left out.
    """
    body = node.body if isinstance(node.body, list) else [node.body]  # type: ignore[attr-defined]  # functions have one
    stack = [(item, start) for item in body]
    while stack:
        current, weight = stack.pop()
        yield current, weight
        if isinstance(current, ast.comprehension):
            stack.extend((item, weight) for item in (current.iter, *current.ifs))
        elif isinstance(current, _OWN_SCOPE):
            stack.extend((item, weight) for item in _evaluated_outside(current))
        else:
            inside = 2 if isinstance(current, (*_LOOPS, *_COMPREHENSIONS)) else weight
            stack.extend((item, inside) for item in children(current))


def _evaluated_outside(node: ast.AST) -> Iterator[ast.expr]:
    """The parts of an inner function or class that are evaluated where it is defined."""
    yield from getattr(node, "decorator_list", ())
    if isinstance(node, ast.ClassDef):
        yield from node.bases
    elif isinstance(node, Function):
        yield from (item for item in (*node.args.defaults, *node.args.kw_defaults) if item is not None)


def _unseen(scope: Scope) -> Iterator[str]:
    """Forms that rebind a shared name, or reach shared state, without an expression that could carry a hook."""
    for statement, _ in scope.nodes:
        if type(statement) in _SAYING_NOTHING:
            continue
        match statement:
            case ast.Call(func=ast.Name(id=name)) if name in UNSEEN_CALLS:
                yield f"`{name}` reaches names and attributes unseen"
            case ast.ClassDef() if any(map(_does_something, statement.body)):
                yield f"the body of the class `{statement.name}` inside a function is not observed"
        for name in _bound_names(statement):
            if scope.home_of(name) is not None:
                form = type(statement).__name__
                yield f"`{name}`, which other functions use, is bound by {form} unseen"


def _does_something(statement: ast.stmt) -> bool:
    """Whether a statement of a class body can touch state that is there already."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return False
        case ast.Assign(value=ast.Constant()) | ast.AnnAssign(value=None | ast.Constant()):
            return False
    return True
