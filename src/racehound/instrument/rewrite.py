"""Rewrites a module so that each operation on something that could be shared is published before it runs.

The rewriting never performs an operation itself. It wraps the *object* of an operation in a hook that
publishes and returns it, and leaves the operation to the interpreter:

    self.total              __rh_load__(site, self, "total").total
    self.items[key] = value __rh_store_item__(site, <items>, (_rh1 := key))[_rh1] = value
    for item in self.items  for item in __rh_iterate__(site, <items>)

So evaluation order, descriptors, exceptions and line numbers stay those of the plain code. Only bodies of
functions are rewritten: module and class bodies run once, while nobody else does.
"""

import ast
from collections.abc import Iterable

from racehound.instrument.scopes import Scope, ScopeTable
from racehound.instrument.sites import SITES, Site

FRAME_READERS = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec", "__import__"})
"""Built-in functions that look at the calling frame: always called directly."""

_COMPARED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def instrument(source: str, path: str, module: str) -> ast.Module:
    """The rewritten tree of a module; raises SyntaxError as `ast.parse` does."""
    tree = ast.parse(source, path)
    Rewriter(path, module, ScopeTable(tree)).visit(tree)
    return ast.fix_missing_locations(tree)


class Rewriter(ast.NodeTransformer):
    def __init__(self, path: str, module: str, scopes: ScopeTable) -> None:
        self._path = path
        self._module = module
        self._scopes = scopes
        self._classes: list[str] = []
        self._scope: Scope | None = None  # the innermost function, None outside of any
        self._in_iterable = 0  # inside the iterable of a comprehension, where `:=` is forbidden
        self._temporaries = 0

    # -- small tools -------------------------------------------------------------------------------

    def _site(self, node: ast.expr | ast.stmt, text: str | None = None) -> ast.Constant:
        shown = ast.unparse(node) if text is None else text
        return ast.Constant(SITES.add(Site(self._path, node.lineno, node.col_offset, shown)))

    def _call(self, hook: str, near: ast.AST, *args: ast.expr) -> ast.Call:
        call = ast.Call(ast.Name(f"__rh_{hook}__", ast.Load()), list(args), [])
        return ast.copy_location(call, near)

    def _fresh(self) -> str:
        self._temporaries += 1
        return f"_rh{self._temporaries}"

    def _mangled(self, name: str) -> str:
        if self._classes and name.startswith("__") and not name.endswith("__"):
            return f"_{self._classes[-1].lstrip('_')}{name}"
        return name

    def _twice(self, value: ast.expr) -> tuple[ast.expr, ast.expr] | None:
        """The same value at two places, evaluated once; None where no temporary may stand."""
        if isinstance(value, ast.Constant):
            return value, value
        if self._in_iterable:
            return None
        name = self._fresh()
        return ast.NamedExpr(ast.Name(name, ast.Store()), value), ast.Name(name, ast.Load())

    # -- scopes ------------------------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.decorator_list = [self.visit(item) for item in node.decorator_list]
        outer, self._scope = self._scope, None
        iterable, self._in_iterable = self._in_iterable, 0
        self._classes.append(node.name)
        node.body = self._visit_body(node.body)
        self._classes.pop()
        self._scope, self._in_iterable = outer, iterable
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._visit_function(node)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        self._visit_function(node)
        return node

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        node.decorator_list = [self.visit(item) for item in node.decorator_list]
        self._visit_defaults(node.args)
        outer, self._scope = self._scope, self._scopes.of(node)
        iterable, self._in_iterable = self._in_iterable, 0
        body = self._visit_body(node.body)
        blind = [self._blind(node, reason) for reason in self._scope.unseen]
        node.body = self._after_docstring(body, blind)
        self._scope, self._in_iterable = outer, iterable

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self._visit_defaults(node.args)
        outer, self._scope = self._scope, self._scopes.of(node)
        iterable, self._in_iterable = self._in_iterable, 0
        node.body = self.visit(node.body)
        self._scope, self._in_iterable = outer, iterable
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

    def _after_docstring(self, body: list[ast.stmt], added: list[ast.stmt]) -> list[ast.stmt]:
        match body:
            case [ast.Expr(value=ast.Constant(value=str())) as docstring, *rest]:
                return [docstring, *added, *rest]
        return [*added, *body]

    def _blind(self, node: ast.stmt, reason: str) -> ast.stmt:
        return ast.copy_location(ast.Expr(self._call("blind", node, ast.Constant(reason))), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if node.value is not None:
            node.value = self._published_binding(node.target, self.visit(node.value))
        if not isinstance(node.target, ast.Name):
            node.target = self.visit(node.target)
        return node

    # -- attributes and items ----------------------------------------------------------------------

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        hook = {ast.Load: "load", ast.Store: "store", ast.Del: "delete"}[type(node.ctx)]
        site = self._site(node)
        node.value = self._call(hook, node, site, self.visit(node.value), ast.Constant(self._mangled(node.attr)))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._site(node)
        subject = self.visit(node.value)
        key = self.visit(self._explicit_slices(node.slice))
        pair = self._twice(key)
        if pair is None:
            return self._call("get_item", node, site, subject, key)
        hook = {ast.Load: "load_item", ast.Store: "store_item", ast.Del: "delete_item"}[type(node.ctx)]
        node.value = self._call(hook, node, site, subject, pair[0])
        node.slice = pair[1]
        return node

    def _explicit_slices(self, key: ast.expr) -> ast.expr:
        if isinstance(key, ast.Slice):
            bounds = [part or ast.Constant(None) for part in (key.lower, key.upper, key.step)]
            return ast.copy_location(self._call("slice", key, *bounds), key)
        if isinstance(key, ast.Tuple):
            key.elts = [self._explicit_slices(item) for item in key.elts]
        return key

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        if self._scope is None:
            return self.generic_visit(node)
        value = self.visit(node.value)
        if isinstance(node.target, ast.Name) and not self._is_shared_name(node.target.id):
            current = ast.Name(node.target.id, ast.Load())
            node.value = self._call("in_place", node, self._site(node.target), current, value)
            return node
        return self._expanded(node, value)

    def _expanded(self, node: ast.AugAssign, value: ast.expr) -> list[ast.stmt]:
        """`x.a += v` as a read, an in-place operation on a temporary, and a write."""
        first: list[ast.stmt] = []
        load, store = self._both_ends(node.target, first)
        name = self._fresh()
        site = self._site(node.target)
        in_place = self._call("in_place", node, site, ast.Name(name, ast.Load()), value)
        first.append(ast.Assign([ast.Name(name, ast.Store())], load))
        first.append(ast.AugAssign(ast.Name(name, ast.Store()), node.op, in_place))
        new: ast.expr = ast.Name(name, ast.Load())
        if isinstance(store, ast.Name):
            new = self._published_binding(store, new)
        first.append(ast.Assign([store], new))
        return [ast.copy_location(statement, node) for statement in first]

    def _both_ends(
        self, target: ast.Name | ast.Attribute | ast.Subscript, first: list[ast.stmt]
    ) -> tuple[ast.expr, ast.expr]:
        if isinstance(target, ast.Name):
            return self.visit(ast.copy_location(ast.Name(target.id, ast.Load()), target)), target
        site = self._site(target)
        subject = self._kept(self.visit(target.value), first)
        if isinstance(target, ast.Attribute):
            attr = ast.Constant(self._mangled(target.attr))
            load = ast.Attribute(self._call("load", target, site, subject, attr), target.attr, ast.Load())
            store = ast.Attribute(self._call("store", target, site, subject, attr), target.attr, ast.Store())
            return ast.copy_location(load, target), ast.copy_location(store, target)
        key = self._kept(self.visit(self._explicit_slices(target.slice)), first)
        loaded = ast.Subscript(self._call("load_item", target, site, subject, key), key, ast.Load())
        stored = ast.Subscript(self._call("store_item", target, site, subject, key), key, ast.Store())
        return ast.copy_location(loaded, target), ast.copy_location(stored, target)

    def _kept(self, value: ast.expr, first: list[ast.stmt]) -> ast.expr:
        if isinstance(value, ast.Constant):
            return value
        name = self._fresh()
        first.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return ast.Name(name, ast.Load())

    # -- names that other functions can rebind -----------------------------------------------------

    def _is_shared_name(self, name: str) -> bool:
        return self._scope is not None and self._scope.home_of(name) is not None

    def _home(self, name: str) -> tuple[ast.Constant, ast.Constant]:
        home = self._scope.home_of(name) if self._scope else None
        return ast.Constant(self._module if home in (None, "") else f"{self._module}:{home}"), ast.Constant(name)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or not self._is_shared_name(node.id):
            return node
        published = self._call("read_name", node, self._site(node), *self._home(node.id))
        return ast.copy_location(ast.IfExp(published, node, ast.Constant(None)), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        value = self.visit(node.value)
        if self._scope is not None and any(isinstance(item, ast.Tuple | ast.List) for item in node.targets):
            value = self._call("unpack", node, self._site(node.value), value)
        for target in node.targets:
            value = self._published_binding(target, value)
        node.value = value
        node.targets = [self.visit(target) for target in node.targets]
        return node

    def _published_binding(self, target: ast.expr, value: ast.expr) -> ast.expr:
        for item in ast.walk(target):
            if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store) and self._is_shared_name(item.id):
                value = self._call("write_name", target, self._site(item), *self._home(item.id), value)
        return value

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        node.value = self._published_binding(node.target, self.visit(node.value))
        return node

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        statements: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Name) and self._is_shared_name(target.id):
                write = self._call(
                    "write_name", target, self._site(target), *self._home(target.id), ast.Constant(None)
                )
                statements.append(ast.copy_location(ast.Expr(write), node))
            statements.append(ast.copy_location(ast.Delete([self.visit(target)]), node))
        return statements

    # -- operators ---------------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        text = ast.unparse(node)
        self.generic_visit(node)
        if self._scope is None:
            return node
        site = self._site(node, text)
        if len(node.ops) > 1:
            node.comparators = [self._call("value", node, site, item) for item in node.comparators]
            node.left = self._call("value", node, site, node.left)
            return node
        operator, right = node.ops[0], node.comparators[0]
        if isinstance(operator, ast.In | ast.NotIn):
            return self._second_operand(node, "contains", site)
        literal = isinstance(node.left, ast.Constant) or isinstance(right, ast.Constant)
        if isinstance(operator, _COMPARED) and not literal:
            return self._second_operand(node, "operands", site)
        return node

    def _second_operand(self, node: ast.Compare, hook: str, site: ast.Constant) -> ast.AST:
        pair = self._twice(node.left)
        if pair is None:
            node.comparators = [self._call("value", node, site, node.comparators[0])]
            return node
        node.left, again = pair
        node.comparators = [self._call(hook, node, site, again, node.comparators[0])]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        text = ast.unparse(node)
        self.generic_visit(node)
        numeric = isinstance(node.right, ast.Constant) or (
            isinstance(node.left, ast.Constant) and not isinstance(node.left.value, str | bytes)
        )
        if self._scope is None or numeric:
            return node
        site = self._site(node, text)
        pair = self._twice(node.left)
        if pair is None:
            node.right = self._call("value", node, site, node.right)
            return node
        node.left, again = pair
        node.right = self._call("operands", node, site, again, node.right)
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self._visit_test(node.test)
        node.body = self._visit_body(node.body)
        node.orelse = self._visit_body(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._visit_test(node.test)
        node.body = self._visit_body(node.body)
        node.orelse = self._visit_body(node.orelse)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._visit_test(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self._visit_test(node.test)
        node.msg = node.msg and self.visit(node.msg)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        node.values = [*(self._visit_test(item) for item in node.values[:-1]), self.visit(node.values[-1])]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        node.operand = self._visit_test(node.operand) if isinstance(node.op, ast.Not) else self.visit(node.operand)
        return node

    def _visit_test(self, test: ast.expr) -> ast.expr:
        plain = self._scope is None or isinstance(test, ast.Compare | ast.Constant | ast.BoolOp | ast.UnaryOp)
        site = None if plain else self._site(test)
        visited: ast.expr = self.visit(test)
        if isinstance(test, ast.BoolOp) and self._scope is not None and isinstance(visited, ast.BoolOp):
            visited.values[-1] = self._call("value", test, self._site(test), visited.values[-1])
        return visited if site is None else self._call("value", test, site, visited)

    # -- iteration and unpacking -------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter = self._iterated(node.iter)
        node.target = self.visit(node.target)
        node.body = self._visit_body(node.body)
        node.orelse = self._visit_body(node.orelse)
        return node

    def _iterated(self, iterable: ast.expr) -> ast.expr:
        if self._scope is None:
            visited: ast.expr = self.visit(iterable)
            return visited
        site = self._site(iterable)
        return self._call("iterate", iterable, site, self.visit(iterable))

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        self._in_iterable += 1
        node.iter = self._iterated(node.iter)
        self._in_iterable -= 1
        node.target = self.visit(node.target)
        node.ifs = [self._visit_test(test) for test in node.ifs]
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        if self._scope is None or isinstance(node.ctx, ast.Store):
            return self.generic_visit(node)
        site = self._site(node.value)
        node.value = self._call("unpack", node, site, self.visit(node.value))
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        node.value = self._iterated(node.value)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        unpacked = [key is None for key in node.keys]
        sites = [self._site(value) for value in node.values] if self._scope else []
        self.generic_visit(node)
        if self._scope is not None:
            node.values = [
                self._call("unpack", value, site, value) if star else value
                for value, star, site in zip(node.values, unpacked, sites, strict=True)
            ]
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._site(node.value)
        node.value = self._call("show", node, site, self.visit(node.value))
        node.format_spec = node.format_spec and self.visit(node.format_spec)
        return node

    # -- calls and contexts ------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._site(node, ast.unparse(node.func))
        direct = isinstance(node.func, ast.Name) and node.func.id in FRAME_READERS
        node.func = self.visit(node.func)
        node.args = [self.visit(item) for item in node.args]
        node.keywords = [self._keyword(item) for item in node.keywords]
        if not direct:
            node.func = self._call("callee", node.func, site, node.func)
        return node

    def _keyword(self, keyword: ast.keyword) -> ast.keyword:
        site = self._site(keyword.value)
        keyword.value = self.visit(keyword.value)
        if keyword.arg is None:
            keyword.value = self._call("unpack", keyword.value, site, keyword.value)
        return keyword

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        return self._visit_with(node)

    def visit_With(self, node: ast.With) -> ast.AST:
        return self._visit_with(node)

    def _visit_with(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        for item in node.items:
            site = self._site(item.context_expr) if self._scope else None
            item.context_expr = self.visit(item.context_expr)
            if site is not None:
                item.context_expr = self._call("context", item.context_expr, site, item.context_expr)
            item.optional_vars = item.optional_vars and self.visit(item.optional_vars)
        node.body = self._visit_body(node.body)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST | list[ast.stmt]:
        if self._scope is not None:
            site = self._site(node.subject)
            node.subject = self._call("value", node.subject, site, self.visit(node.subject))
        for case in node.cases:
            case.guard = case.guard and self._visit_test(case.guard)
            case.body = self._visit_body(case.body)
        if self._scope is None or not _looks_inside(case.pattern for case in node.cases):
            return node
        return [self._blind(node, "a match statement looks into objects unseen"), node]


def _looks_inside(patterns: Iterable[ast.pattern]) -> bool:
    inner = ast.MatchClass | ast.MatchMapping | ast.MatchSequence
    return any(isinstance(node, inner) for pattern in patterns for node in ast.walk(pattern))
