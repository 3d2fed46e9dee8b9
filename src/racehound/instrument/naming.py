"""The part of the rewriting that knows where names live.

It walks scopes and publishes the binding and reading of names that other functions can rebind. A statement that
binds several of them is taken apart into single bindings, since another task may run between any two.
"""

import ast

from racehound.instrument.making import Maker, loaded, stored, takes_apart, takes_items_apart
from racehound.instrument.scopes import Scope, ScopeTable
from racehound.instrument.ways import Marker


class NameRewriter(ast.NodeTransformer):
    def __init__(self, path: str, module: str, scopes: ScopeTable) -> None:
        self._make = Maker(path)
        self._marker = Marker(path)
        self._module = module
        self._scopes = scopes
        self._classes: list[str] = []
        self._scope: Scope | None = None  # the innermost function, None outside of any and in the body of a class
        self._around: Scope | None = None  # the function around that class
        self._annotates = scopes.evaluates_annotations
        self._comprehensions = 0  # how many surround the node, where a temporary would outlive its use

    # -- scopes ------------------------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.decorator_list = self._visit_decorators(node.decorator_list)
        if not getattr(node, "type_params", None):
            node.bases = [self.visit(item) for item in node.bases]
            node.keywords = [self.visit(item) for item in node.keywords]
        outer = self._scope, self._around
        self._around = self._scope or self._around
        self._scope = None
        self._classes.append(node.name)
        node.body = self._visit_body(node.body)
        self._classes.pop()
        self._scope, self._around = outer
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._visit_function(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        self._visit_function(node)
        return node

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_heading(node)
        outer = self._scope, self._comprehensions, self._marker
        self._scope, self._comprehensions = self._scopes.of(node), 0
        self._marker = self._marker.inside(node.args)
        body = self._visit_body(node.body)
        first = [self._make.statement("blind", node, ast.Constant(reason)) for reason in self._scope.unseen]
        first.append(self._marker.entry(node))
        if self._scope.yields and isinstance(node, ast.FunctionDef):
            last = node.body[-1]
            body.append(
                self._make.statement("hand_over", last, self._make.site(last, "return"), ast.Constant(None))
            )
        node.body = _after_docstring(body, first)
        self._scope, self._comprehensions, self._marker = outer

    def _visit_heading(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """What is evaluated where a function is defined; in the body of a class temporaries would stay."""
        in_class = self._scope is None and self._around is not None
        outer = self._scope, self._comprehensions
        if in_class:
            self._scope, self._comprehensions = self._around, self._comprehensions + 1
        node.decorator_list = self._visit_decorators(node.decorator_list)
        self._visit_defaults(node.args)
        if self._scope is not None and self._annotates:
            self._visit_annotations(node)
        self._scope, self._comprehensions = outer

    def _visit_annotations(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if getattr(node, "type_params", None):
            return  # which are names of a scope of their own
        for item in ast.walk(node.args):
            if isinstance(item, ast.arg):
                item.annotation = item.annotation and self.visit(item.annotation)
        node.returns = node.returns and self.visit(node.returns)

    def _visit_decorators(self, decorators: list[ast.expr]) -> list[ast.expr]:
        """Each of them is called with what it decorates."""
        if self._scope is None:
            return [self.visit(item) for item in decorators]
        sites = [self._make.site(item) for item in decorators]
        visited = [self.visit(item) for item in decorators]
        return [self._make.call("callee", item, site, item) for site, item in zip(sites, visited, strict=True)]

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self._visit_defaults(node.args)
        outer = self._scope, self._comprehensions
        self._scope, self._comprehensions = self._scopes.of(node), 0
        node.body = self.visit(node.body)
        self._scope, self._comprehensions = outer
        return node

    def _visit_defaults(self, args: ast.arguments) -> None:
        args.defaults = [self.visit(item) for item in args.defaults]
        args.kw_defaults = [item and self.visit(item) for item in args.kw_defaults]

    def _visit_body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in body:
            replaced = self.visit(statement)
            result.extend(replaced if isinstance(replaced, list) else [replaced])
        return result

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        """Evaluated in a scope of its own, when somebody asks."""
        return node

    def _mangled(self, name: str) -> str:
        owner = self._classes[-1].lstrip("_") if self._classes else ""
        if owner and name.startswith("__") and not name.endswith("__"):
            return f"_{owner}{name}"
        return name

    # -- names that other functions can rebind -----------------------------------------------------

    def _is_shared(self, name: str) -> bool:
        return self._scope is not None and self._scope.home_of(name) is not None

    def _binds_shared(self, target: ast.AST) -> bool:
        names = (item.id for item in ast.walk(target) if isinstance(item, ast.Name))
        return any(self._is_shared(name) for name in names)

    def _home(self, name: str) -> tuple[ast.Constant, ast.Constant]:
        home = self._scope.home_of(name) if self._scope else None
        return ast.Constant(f"{self._module}:{home}" if home else self._module), ast.Constant(self._mangled(name))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or not self._is_shared(node.id):
            return node
        published = self._make.call("read_name", node, self._make.site(node), *self._home(node.id))
        return ast.copy_location(ast.IfExp(published, node, ast.Constant(None)), node)

    def _written(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """The value to bind, whose binding is published if the target is a shared name."""
        if isinstance(target, ast.Name) and self._is_shared(target.id):
            return self._make.call("write_name", target, self._make.site(target), *self._home(target.id), value)
        return value

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        site = self._make.site(node.value)
        node.value = self.visit(node.value)
        if self._scope is None:
            return node  # targets hold no functions
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            node.value = self._written(node.targets[0], node.value)
            return node
        if any(map(self._binds_shared, node.targets)):
            return self._one_by_one(node, site)
        hook = _unpacking(node.targets)
        if hook is not None:
            node.value = self._make.call(hook, node, site, node.value)
        node.targets = [self.visit(target) for target in node.targets]
        return node

    def _one_by_one(self, node: ast.Assign, site: ast.Constant) -> list[ast.stmt]:
        """`a, b = c = v` as the single bindings it consists of, in their order."""
        name = self._make.fresh()
        statements: list[ast.stmt] = [ast.Assign([stored(name)], node.value)]
        for target in node.targets:
            statements.extend(self._bindings(target, loaded(name), site))
        statements.append(ast.Assign([stored(name)], ast.Constant(None)))
        return [ast.copy_location(statement, node) for statement in statements]

    def _bindings(self, target: ast.expr, value: ast.expr, site: ast.Constant) -> list[ast.stmt]:
        if not isinstance(target, ast.Tuple | ast.List):
            return [ast.Assign([self.visit(target)], self._written(target, value))]
        names = [self._make.fresh() for _ in target.elts]
        elements: list[ast.expr] = [
            ast.Starred(stored(name), ast.Store()) if isinstance(item, ast.Starred) else stored(name)
            for name, item in zip(names, target.elts, strict=True)
        ]
        unpacked = self._make.call("unpack", target, site, value)
        statements: list[ast.stmt] = [ast.Assign([ast.Tuple(elements, ast.Store())], unpacked)]
        for name, item in zip(names, target.elts, strict=True):
            inner = item.value if isinstance(item, ast.Starred) else item
            statements.extend(self._bindings(inner, loaded(name), site))
        return statements

    def _taken_out(self, target: ast.expr, near: ast.expr) -> tuple[ast.expr, list[ast.stmt]]:
        """The target of a loop or a context: a temporary and its bindings where those must be published."""
        if not self._binds_shared(target):
            return self.visit(target), []
        name = self._make.fresh()
        bindings = self._bindings(target, loaded(name), self._make.site(near))
        return ast.copy_location(stored(name), target), [ast.copy_location(item, target) for item in bindings]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if node.value is not None:
            node.value = self._written(node.target, self.visit(node.value))
            node.target = self.visit(node.target)
        return node

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        node.value = self._written(node.target, self.visit(node.value))
        return node

    def visit_Delete(self, node: ast.Delete) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        for target in _flat(node.targets):
            if isinstance(target, ast.Name) and self._is_shared(target.id):
                home = self._home(target.id)
                site = self._make.site(target)
                statements.append(self._make.statement("write_name", node, site, *home, ast.Constant(None)))
            statements.append(ast.copy_location(ast.Delete([self.visit(target)]), node))
        return statements


def _after_docstring(body: list[ast.stmt], added: list[ast.stmt]) -> list[ast.stmt]:
    match body:
        case [ast.Expr(value=ast.Constant(value=str())) as docstring, *rest]:
            return [docstring, *added, *rest]
    return [*added, *body]


def _unpacking(targets: list[ast.expr]) -> str | None:
    if any(map(takes_items_apart, targets)):
        return "unpack_apart"
    return "unpack" if any(map(takes_apart, targets)) else None


def _flat(targets: list[ast.expr]) -> list[ast.expr]:
    """The single targets of a `del` statement."""
    flat: list[ast.expr] = []
    for target in targets:
        flat.extend(_flat(target.elts) if isinstance(target, ast.Tuple | ast.List) else [target])
    return flat
