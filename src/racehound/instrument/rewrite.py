"""Rewrites a module so that each operation on something that could be shared is published before it runs.

The rewriting wraps the *object* of an operation in a hook that publishes and returns it, and leaves the operation
to the interpreter:

    self.total              __rh_load__(site, self, "total").total
    self.items[key] = value __rh_store_item__(site, <items>, key)[key] = value
    for item in self.items  for item in __rh_iterate__(site, <items>)

So evaluation order, descriptors, exceptions and line numbers stay those of the plain code. Where an operand would
have to be evaluated twice, the hook performs instead: `__rh_binary__(site, "Add", f(), g())`. Temporary variables
would do as well, but they would keep objects alive, and generators of one function would share them.

Only bodies of functions are rewritten: module and class bodies run once, while nobody else does.
"""

import ast
import gc
from functools import lru_cache
from types import CodeType

from racehound.instrument.elsewhere import moved
from racehound.instrument.making import (
    explicit_slices,
    is_repeatable,
    loaded,
    looks_inside,
    move_to_method,
    stored,
    takes_apart,
    text_of,
)
from racehound.instrument.naming import NameRewriter
from racehound.instrument.scopes import ScopeTable
from racehound.instrument.walking import locate
from racehound.instrument.ways import as_it_is

_DIRECT = frozenset({"super", "locals", "globals", "eval", "exec", "__import__"})
_DIRECT_WITHOUT_ARGUMENTS = frozenset({"vars", "dir"})
"""Built-in functions that look at the calling frame."""

_IDENTITY = (ast.Is, ast.IsNot)
_CONTAINMENT = (ast.In, ast.NotIn)
_DECIDED = (ast.Compare, ast.Constant, ast.BoolOp)


def instrument(source: str, path: str, module: str) -> ast.Module:
    """The rewritten tree of a module; raises SyntaxError as `ast.parse` does."""
    tree = ast.parse(source, path)
    Rewriter(path, module, ScopeTable(tree)).visit(tree)
    return moved(locate(tree))


@lru_cache(maxsize=32)
def compiled(source: str, path: str, module: str) -> CodeType:
    """The rewritten module as code; remembered, since tests explore functions of one module again and again.

    All nodes of a tree are in use until it is compiled, so that to look for garbage among them is time lost.
    """
    was_collecting = gc.isenabled()
    gc.disable()
    try:
        return compile(instrument(source, path, module), path, "exec", dont_inherit=True)
    finally:
        if was_collecting:
            gc.enable()


class Rewriter(NameRewriter, ast.NodeTransformer):
    """Publishes operations on attributes, items and values, iteration, calls and contexts."""

    # -- attributes and items ----------------------------------------------------------------------

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        hook = {ast.Load: "load", ast.Store: "store", ast.Del: "delete"}[type(node.ctx)]
        site = self._make.site(node)
        name = ast.Constant(self._mangled(node.attr))
        node.value = self._make.call(hook, node, site, self.visit(node.value), name)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._make.site(node)
        subject = self.visit(node.value)
        key = self.visit(explicit_slices(self._make, node.slice))
        if isinstance(node.ctx, ast.Load) and not is_repeatable(key):
            return self._make.call("get_item", node, site, subject, key)
        hook = {ast.Load: "load_item", ast.Store: "store_item", ast.Del: "delete_item"}[type(node.ctx)]
        node.slice, published = self._repeated(key)
        node.value = self._make.call(hook, node, site, subject, published)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        match node.targets:
            case [ast.Subscript(slice=ast.Slice()) as target] if self._scope is not None:
                return self._part_assigned(node, target)
        return super().visit_Assign(node)

    def _part_assigned(self, node: ast.Assign, target: ast.Subscript) -> list[ast.stmt]:
        """`a[i:j] = b` reads all of `b` in the step in which it writes to `a`."""
        site, name = self._make.site(target), self._make.fresh()
        value = self.visit(node.value)
        subject, key = self.visit(target.value), self.visit(explicit_slices(self._make, target.slice))
        target.slice, published = self._repeated(key)
        target.value = self._make.call("store_part", target, site, subject, published, loaded(name))
        statements = [
            ast.Assign([stored(name)], value),
            ast.Assign([target], loaded(name)),
            ast.Assign([stored(name)], ast.Constant(None)),
        ]
        return [ast.copy_location(statement, node) for statement in statements]

    def _repeated(self, key: ast.expr) -> tuple[ast.expr, ast.expr]:
        """A key to use, and the same key to publish before, evaluated once."""
        if is_repeatable(key):
            return key, key
        if self._comprehensions:
            return key, ast.Constant(...)  # any item
        name = self._make.fresh()
        return loaded(name), ast.NamedExpr(stored(name), key)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._make.site(node.target)
        if isinstance(node.target, ast.Name) and not self._is_shared(node.target.id):
            node.value = self._make.call("in_place", node, site, loaded(node.target.id), self.visit(node.value))
            return node
        return self._expanded(node, site)

    def _expanded(self, node: ast.AugAssign, site: ast.Constant) -> list[ast.stmt]:
        """`x.a += v` as a read, an in-place operation on a temporary, and a write."""
        first: list[ast.stmt] = []
        name = self._make.fresh()
        load, store = self._both_ends(node.target, site, first, name)
        value = self._make.call("in_place", node, site, loaded(name), self.visit(node.value))
        first.append(ast.Assign([stored(name)], load))
        first.append(ast.AugAssign(stored(name), node.op, value))
        new: ast.expr = loaded(name)
        if isinstance(store, ast.Name):
            new = self._written(store, new)
        first.append(ast.Assign([store], new))
        temporaries = [target for item in first if isinstance(item, ast.Assign) for target in item.targets]
        names = [stored(item.id) for item in temporaries if isinstance(item, ast.Name) and item is not store]
        first.append(ast.Assign(list(names), ast.Constant(None)))
        return [ast.copy_location(statement, node) for statement in first]

    def _both_ends(
        self, target: ast.Name | ast.Attribute | ast.Subscript, site: ast.Constant, first: list[ast.stmt], new: str
    ) -> tuple[ast.expr, ast.expr]:
        if isinstance(target, ast.Name):
            return self.visit(ast.copy_location(loaded(target.id), target)), target
        subject = self._kept(self.visit(target.value), first)
        if isinstance(target, ast.Attribute):
            attr = ast.Constant(self._mangled(target.attr))
            load = ast.Attribute(self._make.call("load", target, site, subject, attr), target.attr, ast.Load())
            store = ast.Attribute(self._make.call("store", target, site, subject, attr), target.attr, ast.Store())
            return ast.copy_location(load, target), ast.copy_location(store, target)
        key = self._kept(self.visit(explicit_slices(self._make, target.slice)), first)
        loading = ast.Subscript(self._make.call("load_item", target, site, subject, key), key, ast.Load())
        stored_in = self._make.call("store_part", target, site, subject, key, loaded(new))
        storing = ast.Subscript(stored_in, key, ast.Store())
        return ast.copy_location(loading, target), ast.copy_location(storing, target)

    def _kept(self, value: ast.expr, first: list[ast.stmt]) -> ast.expr:
        if isinstance(value, ast.Constant):
            return value
        name = self._make.fresh()
        first.append(ast.Assign([stored(name)], value))
        return loaded(name)

    # -- operators ---------------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._make.site(node)
        self.generic_visit(node)
        if all(isinstance(operator, _IDENTITY) for operator in node.ops):
            return node
        if len(node.ops) > 1:
            return self._chain(node, site)
        operator, right = node.ops[0], node.comparators[0]
        if not is_repeatable(node.left):
            name = ast.Constant(type(operator).__name__)
            return self._make.call("compare", node, site, name, node.left, right)
        hook = "contains" if isinstance(operator, _CONTAINMENT) else "operands"
        node.comparators = [self._make.call(hook, node, site, node.left, right)]
        return node

    def _chain(self, node: ast.Compare, site: ast.Constant) -> ast.AST:
        """`a < b < c`, whose middle operands are used twice."""
        operands = [node.left, *node.comparators]
        if self._comprehensions and not all(map(is_repeatable, operands[:-1])):
            node.left = self._make.call("link", node, site, operands[0])
            node.comparators = [self._make.call("link", node, site, item) for item in operands[1:]]
            return node
        again: list[ast.expr] = []
        for index, item in enumerate(operands[:-1]):
            if is_repeatable(item):
                again.append(item)
                continue
            name = self._make.fresh()
            operands[index] = ast.NamedExpr(stored(name), item)
            again.append(loaded(name))
        node.left = operands[0]
        node.comparators = [
            self._make.call(
                "contains" if isinstance(operator, _CONTAINMENT) else "operands", node, site, left, right
            )
            for operator, left, right in zip(node.ops, again, operands[1:], strict=True)
        ]
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._make.site(node)
        self.generic_visit(node)
        if isinstance(node.right, ast.Constant):
            node.left = self._make.call("operand", node, site, node.left)
            return node
        if not is_repeatable(node.left):
            name = ast.Constant(type(node.op).__name__)
            return self._make.call("binary", node, site, name, node.left, node.right)
        node.right = self._make.call("operands", node, site, node.left, node.right)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if self._scope is None or isinstance(node.operand, ast.Constant):
            return self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            node.operand = self._visit_test(node.operand)
            return node
        site = self._make.site(node)
        node.operand = self._make.call("operand", node, site, self.visit(node.operand))
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        then, otherwise = self._marker.branches(node) if self._scope is not None else ([], [])
        node.test = self._visit_test(node.test)
        node.body = [*then, *self._visit_body(node.body)]
        node.orelse = [*otherwise, *self._visit_body(node.orelse)]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        begun = self._marker.loop(node) if self._scope is not None else []
        node.test = self._visit_test(node.test)
        node.body = [*begun, *self._visit_body(node.body)]
        node.orelse = self._visit_body(node.orelse)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        caught = self._marker.handler(node) if self._scope is not None else []
        node.type = node.type and self.visit(node.type)
        node.body = [*caught, *self._visit_body(node.body)]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        then, otherwise = self._marker.choices(node) if self._scope is not None else (as_it_is, as_it_is)
        node.test = self._visit_test(node.test)
        node.body, node.orelse = then(self.visit(node.body)), otherwise(self.visit(node.orelse))
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self._visit_test(node.test)
        node.msg = node.msg and self.visit(node.msg)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        reached = self._marker.rest(node) if self._scope is not None else as_it_is
        first = [self._visit_test(item) for item in node.values[:-1]]
        node.values = [*first, reached(self.visit(node.values[-1]))]
        return node

    def _visit_test(self, test: ast.expr) -> ast.expr:
        """An expression whose truth is asked for."""
        if isinstance(test, ast.BoolOp):
            test.values = [self._visit_test(item) for item in test.values]
            return test
        negation = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        if self._scope is None or negation or isinstance(test, _DECIDED):
            visited: ast.expr = self.visit(test)
            return visited
        site = self._make.site(test)
        return self._make.call("truth", test, site, self.visit(test))

    # -- iteration and unpacking -------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._visit_loop(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AST:
        return self._visit_loop(node)

    def _visit_loop(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        begun = self._marker.loop(node) if self._scope is not None else []
        node.iter = self._iterated(node.iter, node.target, later=isinstance(node, ast.AsyncFor))
        node.target, bindings = self._taken_out(node.target, node.target)
        node.body = [*begun, *bindings, *self._visit_body(node.body)]
        node.orelse = self._visit_body(node.orelse)
        return node

    def _iterated(self, iterable: ast.expr, target: ast.expr, *, later: bool) -> ast.expr:
        if self._scope is None:
            visited: ast.expr = self.visit(iterable)
            return visited
        hook = "iterate_later" if later else "iterate_apart" if takes_apart(target) else "iterate"
        site = self._make.site(iterable)
        return self._make.call(hook, iterable, site, self.visit(iterable))

    def generic_visit(self, node: ast.AST) -> ast.AST:
        inside = isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        self._comprehensions += inside
        super().generic_visit(node)
        self._comprehensions -= inside
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        node.iter = self._iterated(node.iter, node.target, later=bool(node.is_async))
        node.target = self.visit(node.target)
        node.ifs = [self._visit_test(test) for test in node.ifs]
        return node

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        if self._scope is None or isinstance(node.ctx, ast.Store):
            return self.generic_visit(node)
        return self._unpacked(node, "unpack")

    def _unpacked(self, node: ast.Starred, hook: str) -> ast.Starred:
        site = self._make.site(node.value)
        node.value = self._make.call(hook, node, site, self.visit(node.value))
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        node.value = self._handed_over(node, node.value)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        if self._scope is None or not self._scope.yields:
            return self.generic_visit(node)
        handed = self._handed_over(node, node.value)
        if node.value is None:  # which is all that an asynchronous generator may return
            return [ast.copy_location(ast.Expr(handed), node), node]
        node.value = handed
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        site = self._make.site(node.elt)
        self.generic_visit(node)
        if self._scope is not None:
            node.elt = self._make.call("hand_over", node.elt, site, node.elt)
        return node

    def _handed_over(self, node: ast.Yield | ast.Return, value: ast.expr | None) -> ast.expr:
        """What a generator yields or returns."""
        site = self._make.site(node)
        return self._make.call("hand_over", node, site, ast.Constant(None) if value is None else self.visit(value))

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        site = self._make.site(node.value)
        node.value = self._make.call("delegate", node.value, site, self.visit(node.value))
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        for index, (key, value) in enumerate(zip(node.keys, node.values, strict=True)):
            site = None if self._scope is None or key is not None else self._make.site(value)
            node.keys[index] = key and self.visit(key)
            node.values[index] = self.visit(value)
            if site is not None:
                node.values[index] = self._make.call("unpack", value, site, node.values[index])
        return node

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._make.site(node.value)
        node.value = self._make.call("show", node, site, self.visit(node.value))
        node.format_spec = node.format_spec and self.visit(node.format_spec)
        return node

    # -- calls and contexts ------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if self._scope is None:
            return self.generic_visit(node)
        site = self._make.site(node, text_of(node.func))
        direct = _looks_at_frame(node)
        move_to_method(node)
        late = len(node.args) == 1 and not all(is_repeatable(item.value) for item in node.keywords)
        node.func = self.visit(node.func)
        node.args = [
            self._unpacked(item, "unpack_late" if late else "unpack")
            if isinstance(item, ast.Starred)
            else self.visit(item)
            for item in node.args
        ]
        node.keywords = [self._visit_keyword(item) for item in node.keywords]
        if not direct:
            node.func = self._make.call("callee", node.func, site, node.func)
        return node

    def _visit_keyword(self, keyword: ast.keyword) -> ast.keyword:
        site = self._make.site(keyword.value)
        keyword.value = self.visit(keyword.value)
        if keyword.arg is None:
            keyword.value = self._make.call("unpack", keyword.value, site, keyword.value)
        return keyword

    def visit_With(self, node: ast.With) -> ast.AST:
        return self._visit_context(node)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        return self._visit_context(node)

    def _visit_context(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        first, *rest = node.items
        if rest and first.optional_vars is not None and self._binds_shared(first.optional_vars):
            node.items = [first]
            node.body = [ast.copy_location(type(node)(rest, node.body), node)]
            return self._visit_context(node)
        bindings: list[ast.stmt] = []
        for item in node.items:
            item.context_expr = self._entered(item.context_expr, node)
            if item.optional_vars is not None:
                item.optional_vars, bindings = self._taken_out(item.optional_vars, item.optional_vars)
        node.body = [*bindings, *self._visit_body(node.body)]
        return node

    def _entered(self, manager: ast.expr, node: ast.With | ast.AsyncWith) -> ast.expr:
        if self._scope is None:
            visited: ast.expr = self.visit(manager)
            return visited
        site = self._make.site(manager)
        hook = "context_later" if isinstance(node, ast.AsyncWith) else "context"
        return self._make.call(hook, manager, site, self.visit(manager))

    def visit_Match(self, node: ast.Match) -> ast.AST:
        if self._scope is None:
            node.subject = self.visit(node.subject)
        else:
            guarded = any(case.guard for case in node.cases)
            site = self._make.site(node.subject)
            subject = self.visit(node.subject)
            if guarded or looks_inside(case.pattern for case in node.cases):
                node.subject = self._make.call("match", subject, site, ast.Constant(guarded), subject)
            else:
                node.subject = self._make.call("operand", subject, site, subject)
        for case in node.cases:
            matched = self._marker.case(case) if self._scope is not None else []
            case.guard = case.guard and self._visit_test(case.guard)
            case.body = [*matched, *self._visit_body(case.body)]
        return node


def _looks_at_frame(call: ast.Call) -> bool:
    if not isinstance(call.func, ast.Name):
        return False
    return call.func.id in _DIRECT or (call.func.id in _DIRECT_WITHOUT_ARGUMENTS and not call.args)
