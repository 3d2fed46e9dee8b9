"""Statements: branches, loops, critical sections."""

import ast
from collections.abc import Callable
from functools import partial

from racehound.source.attempts import Attempt, caught_by, suppressed
from racehound.source.events import (
    OTHER,
    Acquire,
    Call,
    Exit,
    Flow,
    Pause,
    Release,
    Shape,
    Span,
    Value,
)
from racehound.source.expressions import iterate
from racehound.source.imports import imported_names
from racehound.source.listed_items import note_items
from racehound.source.loop_names import bind_items, names_in
from racehound.source.questions import take_answers
from racehound.source.stores import annotated_assign, assign, augmented_assign, delete, store
from racehound.source.trylocks import TryLock, awaited_lock, try_lock
from racehound.source.values import outline
from racehound.source.waiting_loops import note_loop, note_while
from racehound.source.walk import Handler, Iteration, Walk, nothing, span_of

_make = tuple.__new__
_ENDS = frozenset(
    {
        *("sys.exit", "exit", "quit", "os._exit", "os.abort"),
        *("flask.abort", "quart.abort", "bottle.abort", "werkzeug.exceptions.abort"),
    }
)
"""Calls behind which nothing happens any more."""
_LAST_NAMES = frozenset(name.rpartition(".")[2] for name in _ENDS)


def _expression(walk: Walk, node: ast.Expr) -> None:
    walk.flow = []
    value = node.value
    walk.expression(value)
    kind = type(value)
    if kind is ast.Call or kind is ast.Await:
        walk.facts.discarded.add(len(walk.events) - 1)
    else:
        _throw_away_parts(walk, value)
    if type(value) is ast.Call and _never_returns(walk, value):
        walk.events.append(Exit("raise", span_of(node)))
        walk.events.append(Flow.LEAVE)


def _throw_away_parts(walk: Walk, value: ast.expr) -> None:
    """`[start(work) for work in all_of_it]`, `due and start(work)`: nobody keeps what the calls give."""
    match value:
        case ast.Call():
            _throw_away(walk, span_of(value))
        case ast.ListComp(elt=part) | ast.SetComp(elt=part):
            _throw_away_parts(walk, part)
        case ast.IfExp(body=first, orelse=second):
            _throw_away_parts(walk, first)
            _throw_away_parts(walk, second)
        case ast.BoolOp(values=[*_, last]):
            _throw_away_parts(walk, last)


def _throw_away(walk: Walk, item: Span) -> None:
    for index in range(len(walk.events) - 1, -1, -1):
        event = walk.events[index]
        if isinstance(event, Call) and event.span == item:
            walk.facts.discarded.add(index)
            return


def _never_returns(walk: Walk, node: ast.Call) -> bool:
    function = node.func
    # Cheap looks first: every statement that calls something comes here.
    if type(function) is ast.Attribute and function.attr not in _LAST_NAMES:
        return False
    if type(function) is ast.Name and not _may_end(walk, function.id):
        return False
    place = walk.place(function)
    if place is None:
        return False
    return ".".join((walk.surroundings.imports.get(place.root, place.root), *place.attributes)) in _ENDS


def _may_end(walk: Walk, name: str) -> bool:
    return name in _LAST_NAMES or name in walk.surroundings.imports or name in walk.aliases


_EXITS = {ast.Return: "return", ast.Raise: "raise", ast.Break: "break", ast.Continue: "continue"}


def _leave(walk: Walk, node: ast.Return | ast.Raise | ast.Break | ast.Continue) -> None:
    walk.flow = []
    result = OTHER
    if type(node) is ast.Return and node.value is not None:
        walk.expression(node.value)
        result = outline(walk, node.value)
    elif type(node) is ast.Raise and node.exc is not None:
        walk.expression(node.exc)
    walk.events.append(_make(Exit, (_EXITS[type(node)], span_of(node), result, tuple(walk.flow))))
    walk.events.append(Flow.LEAVE)


def _assert(walk: Walk, node: ast.Assert) -> None:
    walk.flow = []
    walk.test(node.test)


def _if(walk: Walk, node: ast.If) -> None:
    walk.flow = []
    known = _known(walk, node.test)
    if known is not None:
        walk.block(node.body if known else node.orelse)
        return
    walk.decide(node.test)
    take_answers(walk, node.test)
    then: Callable[[], None] = partial(walk.block, node.body)
    otherwise = _otherwise(walk, node.orelse)
    attempt = try_lock(node.test)
    if attempt is not None and attempt.is_held_if_true:
        otherwise = partial(_refused, walk, attempt, otherwise)
    elif attempt is not None:
        then = partial(_refused, walk, attempt, then)
    walk.branches(then, otherwise)


def _refused(walk: Walk, attempt: TryLock, block: Callable[[], None]) -> None:
    """The way on which the lock was not to be had."""
    walk.events.append(Release(outline(walk, attempt.lock), span_of(attempt.call)))
    block()


def _otherwise(walk: Walk, body: list[ast.stmt]) -> Callable[[], None]:
    return partial(walk.block, body) if body else nothing


def _known(walk: Walk, test: ast.expr) -> bool | None:
    """How a test on a constant goes, in code that was written once and made for two worlds."""
    if type(test) is ast.UnaryOp and type(test.op) is ast.Not:
        inner = _known(walk, test.operand)
        return None if inner is None else not inner
    return walk.surroundings.fixed.get(test.id) if type(test) is ast.Name else None


def _while(walk: Walk, node: ast.While) -> None:
    attempt = awaited_lock(node)

    def body() -> None:
        walk.events.append(Flow.LOOP)
        walk.loop += 1
        walk.flow = []
        walk.decide(node.test)
        block = partial(walk.block, node.body)
        block() if attempt is None else _refused(walk, attempt, block)
        walk.loop -= 1
        walk.events.append(Flow.LOOP)

    walk.branches(body, _otherwise(walk, node.orelse))
    note_while(walk, node)
    if attempt is not None:
        walk.events.append(Acquire(outline(walk, attempt.lock), span_of(attempt.call)))


def _iteration(walk: Walk, node: ast.For | ast.AsyncFor) -> Iteration | None:
    """What the loop goes over in place; a call makes a copy, but for views and `enumerate`."""
    target, is_mapping = node.iter, False
    match node.iter:
        case ast.Call(func=ast.Attribute(value=base, attr="items" | "keys" | "values"), args=[]):
            target, is_mapping = base, True
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            target = inner
    place = walk.place(target)
    if place is None:
        return None
    names = frozenset(names_in(node.target))
    return Iteration(place, names, is_mapping, walk.loop + 1, span_of(node.iter))


def _for(walk: Walk, node: ast.For | ast.AsyncFor) -> None:
    walk.flow = []
    iterate(walk, node.iter)
    iteration = _iteration(walk, node)

    def body() -> None:
        walk.events.append(Flow.LOOP)
        walk.loop += 1
        if isinstance(node, ast.AsyncFor):
            walk.events.append(Pause(span_of(node.iter), yields=False))
        bind_items(walk, node.target, node.iter)
        if iteration is not None:
            walk.iterated.append(iteration)
        walk.block(node.body)
        if iteration is not None:
            walk.iterated.pop()
        walk.loop -= 1
        walk.events.append(Flow.LOOP)

    walk.branches(body, _otherwise(walk, node.orelse))
    note_loop(walk, node)
    note_items(walk, node.target, node.iter)


def _with(walk: Walk, node: ast.With | ast.AsyncWith) -> None:
    entered: list[list[Value]] = []
    guarded: list[Attempt] = []
    for item in node.items:
        walk.flow = []
        entered.append(_enter(walk, item, is_async=isinstance(node, ast.AsyncWith)))
        caught = suppressed(item.context_expr)
        if caught:
            guarded.append(Attempt(len(walk.events), walk.loop))
            guarded[-1].handlers += [caught]
    walk.facts.attempts += guarded
    walk.block(node.body)
    for attempt in guarded:
        attempt.close(len(walk.events))
    for values in reversed(entered):
        walk.events.extend(Release(value, span_of(node)) for value in reversed(values))


def _enter(walk: Walk, item: ast.withitem, *, is_async: bool) -> list[Value]:
    """Enters one context; the list it returns grows while the body enters more through an ExitStack."""
    entered_as = item.context_expr
    if isinstance(entered_as, ast.NamedExpr):  # `with (lock := self._lock):`
        walk.expression(entered_as)
        entered_as = entered_as.value
    value = outline(walk, entered_as)
    if value.shape is not Shape.PLACE and entered_as is item.context_expr:
        walk.expression(item.context_expr)
    if is_async:
        walk.events.append(Pause(span_of(item.context_expr), yields=False, value=value))
    walk.events.append(Acquire(value, span_of(item.context_expr), is_async))
    entered = [value]
    if item.optional_vars is not None:
        store(walk, item.optional_vars, (value,))
        if isinstance(item.optional_vars, ast.Name):
            walk.stacks[item.optional_vars.id] = entered
    return entered


def _try(walk: Walk, node: ast.Try | ast.TryStar) -> None:
    guarded = Attempt(len(walk.events), walk.loop)
    walk.facts.attempts.append(guarded)

    def body() -> None:
        walk.block(node.body)
        guarded.end = len(walk.events)
        walk.block(node.orelse)

    handlers = [partial(_handler, walk, handler, guarded) for handler in node.handlers]
    if not node.finalbody:
        walk.branches(body, *handlers)
        return
    walk.events.append(Flow.TRY)
    walk.branches(body, *handlers)
    walk.events.append(Flow.FINALLY)
    walk.block(node.finalbody)
    walk.events.append(Flow.END)


def _handler(walk: Walk, node: ast.ExceptHandler, guarded: Attempt) -> None:
    begin = len(walk.events)
    if node.name:
        walk.flow = []
        walk.bind(node.name)
    walk.block(node.body)
    guarded.handlers.append(caught_by(node, (begin, len(walk.events))))


def _match(walk: Walk, node: ast.Match) -> None:
    walk.flow = []
    walk.test(node.subject)
    walk.branches(*(partial(_case, walk, case) for case in node.cases), nothing)


def _case(walk: Walk, node: ast.match_case) -> None:
    walk.flow = []
    for pattern in ast.walk(node.pattern):
        name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
        if name:
            walk.bind(name)
    if node.guard is not None:
        walk.test(node.guard)
    walk.block(node.body)


def _function(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    walk.flow = []
    walk.expressions(node.decorator_list)
    walk.expressions(node.args.defaults)
    walk.expressions(_called_in_annotations(node.args))
    function = walk.surroundings.define(node, walk.facts, walk.self_name)
    if not walk.facts.is_module_body:
        walk.bind(node.name, (Value(Shape.FUNCTION, function.qualified_name),))


def _called_in_annotations(arguments: ast.arguments) -> list[ast.expr]:
    """`Depends(session)` in `Annotated[Session, Depends(session)]`."""
    hints = [item.annotation.slice for item in arguments.args if type(item.annotation) is ast.Subscript]
    return [part for hint in hints if type(hint) is ast.Tuple for part in hint.elts if type(part) is ast.Call]


def _class(walk: Walk, node: ast.ClassDef) -> None:
    walk.surroundings.define_class(node, walk.facts)


def _import(walk: Walk, node: ast.Import | ast.ImportFrom) -> None:
    for name, target in imported_names(node):
        walk.surroundings.imports.setdefault(name, target)


def _shared(walk: Walk, node: ast.Global | ast.Nonlocal) -> None:
    walk.facts.shared_names.update(node.names)
    if isinstance(node, ast.Nonlocal):
        walk.outer |= frozenset(node.names)  # whatever they hold: the function says that it changes them


def _nothing(walk: Walk, node: ast.stmt) -> None:
    """`pass`, and `type X = ...`, which is evaluated lazily."""
    del walk, node


STATEMENTS: dict[type[ast.AST], Handler] = {
    ast.AnnAssign: annotated_assign,
    ast.Assert: _assert,
    ast.Assign: assign,
    ast.AsyncFor: _for,
    ast.AsyncFunctionDef: _function,
    ast.AsyncWith: _with,
    ast.AugAssign: augmented_assign,
    ast.Break: _leave,
    ast.ClassDef: _class,
    ast.Continue: _leave,
    ast.Delete: delete,
    ast.Expr: _expression,
    ast.For: _for,
    ast.FunctionDef: _function,
    ast.Global: _shared,
    ast.If: _if,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.Match: _match,
    ast.Nonlocal: _shared,
    ast.Pass: _nothing,
    ast.Raise: _leave,
    ast.Return: _leave,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.While: _while,
    ast.With: _with,
}
if hasattr(ast, "TypeAlias"):
    STATEMENTS[ast.TypeAlias] = _nothing  # pragma: needs Python 3.12
