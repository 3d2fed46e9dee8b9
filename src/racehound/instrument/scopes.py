"""Which names of a function live where other functions can rebind them.

A local variable belongs to its call alone. A global that some function declares `global`, and a variable that
an inner function declares `nonlocal`, can change under the feet of every function that uses them.
"""

import ast
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Scope:
    """The names of one function."""

    def __init__(self, node: Function, outer: "Scope | None", qualname: str) -> None:
        self.outer = outer
        self.qualname = qualname
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.bound = {argument.arg for argument in _arguments(node.args)}
        self.cells: set[str] = set()  # own variables that an inner function rebinds
        self.module_names: set[str] = set()  # globals that some function of the module rebinds
        self.unseen: list[str] = []
        for statement in _own_nodes(node):
            self._learn(statement)
        self.bound -= self.globals | self.nonlocals

    def _learn(self, node: ast.AST) -> None:
        match node:
            case ast.Global(names=names):
                self.globals.update(names)
            case ast.Nonlocal(names=names):
                self.nonlocals.update(names)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                self.bound.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                self.bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                self.bound.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                self.bound.update((alias.asname or alias.name).split(".")[0] for alias in names)

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


class ScopeTable:
    def __init__(self, tree: ast.Module) -> None:
        self._scopes: dict[ast.AST, Scope] = {}
        self._build(tree, None, "")
        rebound = {name for scope in self._scopes.values() for name in scope.globals}
        for node, scope in self._scopes.items():
            scope.module_names = rebound
            for name in scope.nonlocals:
                owner = scope.owner_of(name)
                if owner is not None:
                    owner.cells.add(name)
            scope.unseen = list(_unseen_bindings(node, scope))

    def of(self, node: ast.AST) -> Scope:
        return self._scopes[node]

    def _build(self, node: ast.AST, outer: Scope | None, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                name = getattr(child, "name", "<lambda>")
                scope = Scope(child, outer, f"{prefix}{name}:{child.lineno}")
                self._scopes[child] = scope
                self._build(child, scope, f"{prefix}{name}.")
            elif isinstance(child, ast.ClassDef):
                self._build(child, outer, f"{prefix}{child.name}.")
            else:
                self._build(child, outer, prefix)


def _arguments(args: ast.arguments) -> Iterator[ast.arg]:
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs)
    yield from (extra for extra in (args.vararg, args.kwarg) if extra is not None)


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes of a function but those of functions and classes inside it."""
    body = node.body if isinstance(node.body, list) else [node.body]  # type: ignore[attr-defined]  # functions have one
    stack: list[ast.AST] = list(body)
    while stack:
        current = stack.pop()
        yield current
        if not isinstance(current, _OWN_SCOPE):
            stack.extend(ast.iter_child_nodes(current))


def _unseen_bindings(node: ast.AST, scope: Scope) -> Iterator[str]:
    """Forms that rebind a shared name without an expression that could carry a hook."""
    for statement in _own_nodes(node):
        match statement:
            case ast.Call(func=ast.Name(id="vars" | "globals" | "eval" | "exec" as name)):
                yield f"`{name}` reaches names and attributes unseen"
                continue
            case (
                ast.For(target=target)
                | ast.AsyncFor(target=target)
                | ast.withitem(optional_vars=ast.expr() as target)
            ):
                names = {item.id for item in ast.walk(target) if isinstance(item, ast.Name)}
            case ast.ExceptHandler(name=str(name)):
                names = {name}
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names = {(alias.asname or alias.name).split(".")[0] for alias in aliases}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names = {name}
            case _:
                continue
        for name in sorted(names):
            if scope.home_of(name) is not None:
                form = type(statement).__name__
                yield f"`{name}`, which other functions use, is bound by a {form} statement unseen"
