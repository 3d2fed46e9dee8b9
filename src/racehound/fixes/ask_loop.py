"""Work for an event loop, handed to it in the ways that are made for other threads.

A thread that asks for "the" loop to run one coroutine gets a loop of its own with `asyncio.run`. What belongs to
the thread of another loop is called by that loop: `call_soon_threadsafe` wakes it, and calls there.
"""

import ast
from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from racehound.fixes.editing.blocks import without_statement
from racehound.fixes.editing.editor import ChangeExpression, Editor
from racehound.fixes.editing.module_level import with_imports
from racehound.fixes.editing.reading import Function, Reading, is_place, same
from racehound.fixes.locking.imports import say
from racehound.fixes.transformation import CannotChange, Change, Transformation
from racehound.model.finding import Finding

_OF_LOOP = frozenset({"call_later", "call_at", "stop", "add_reader", "remove_reader", "add_writer"})
_OF_OTHERS = frozenset({"put_nowait", "set", "clear", "set_result", "set_exception"})
"""Methods of queues, events and futures whose results nobody asks for."""
_ASKING = frozenset({"get_event_loop", "get_running_loop", "new_event_loop"})


class AskLoop(Transformation):
    rules: ClassVar[frozenset[str]] = frozenset({"RH309"})

    def change(self, source: str, findings: Sequence[Finding]) -> Change:
        reading = Reading(source)
        call = reading.at(findings[0].location, ast.Call)
        function = reading.function(call)
        match call.func:
            case ast.Attribute(value=ast.Name(id="asyncio"), attr="get_event_loop"):
                return _own_loop(reading, function, call)
            case ast.Attribute(value=loop, attr="call_soon"):
                return _threadsafe(reading, function, call, loop)
            case ast.Attribute(value=loop, attr="create_task") if is_place(loop) and not _is_asyncio(loop):
                return _coroutine(reading, function, call, loop)
            case ast.Attribute(value=loop, attr=name) if name in _OF_LOOP and is_place(loop):
                return _by_loop(reading, function, call, loop)
            case ast.Attribute(value=held, attr=name) if name in _OF_OTHERS and is_place(held):
                return _by_loop(reading, function, call, _loop_at_hand(reading, function, call))
        raise CannotChange("the loop that it should be left to is not at hand")


def _is_asyncio(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "asyncio"


def _own_loop(reading: Reading, function: Function, asked: ast.Call) -> Change:
    """`asyncio.run` in place of the loop that is asked for, where it runs one coroutine and does nothing else."""
    editor = Editor(reading)
    run = _run_by(reading, function, asked, editor)
    if run.keywords or len(run.args) != 1 or isinstance(run.args[0], ast.Starred):
        raise CannotChange("what the loop runs is not said in one argument")
    editor.expression(run, lambda old: old.with_changes(func=cst.parse_expression("asyncio.run")))
    dangers = () if _is_coroutine(reading, function, run.args[0]) else (_not_seen(run.args[0]),)
    return Change(editor.text(), f"`{function.name}` runs a loop of its own", dangers)


def _run_by(reading: Reading, function: Function, asked: ast.Call, editor: Editor) -> ast.Call:
    if isinstance(function, ast.AsyncFunctionDef):
        raise CannotChange("a coroutine that runs already cannot run another loop")
    match reading.parent(asked):
        case ast.Attribute(attr="run_until_complete") as attribute:
            run = reading.parent(attribute)
            if isinstance(run, ast.Call) and run.func is attribute:
                return run
        case ast.Assign(targets=[ast.Name(id=name)]) as statement:
            run = _only_run(reading, function, name)
            if len(reading.block(statement)) < 2:
                raise CannotChange("the loop is asked for in a block of its own")
            without_statement(reading, editor, statement)
            return run
    raise CannotChange("what is asked of the loop is more than to run one coroutine")


def _only_run(reading: Reading, function: Function, name: str) -> ast.Call:
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
    runs = []
    for use in uses:
        attribute = reading.parent(use)
        call = reading.parent(attribute)
        if isinstance(attribute, ast.Attribute) and attribute.attr == "run_until_complete":
            runs += [call] if isinstance(call, ast.Call) and call.func is attribute else []
    inner = any(reading.scope(use) is not function for use in uses)
    if len(uses) != 2 or len(runs) != 1 or inner:
        raise CannotChange(f"`{name}` is used for more than to run one coroutine")
    if any(isinstance(item, ast.For | ast.While | ast.AsyncFor) for item in _within(reading, runs[0], function)):
        raise CannotChange("the loop runs several coroutines, which may have to share it")
    return runs[0]


def _within(reading: Reading, node: ast.AST, function: Function) -> list[ast.AST]:
    above = list(reading.around(node))
    return above[: above.index(function)]


def _is_coroutine(reading: Reading, function: Function, node: ast.expr) -> bool:
    """True if a call makes a coroutine of a function that the file shows."""
    match node:
        case ast.Call(func=ast.Name(id=name)):
            scope: ast.AST | None = reading.tree
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=name)):
            scope = reading.owner(function)
        case _:
            return False
    body = getattr(scope, "body", [])
    return any(isinstance(item, ast.AsyncFunctionDef) and item.name == name for item in body)


def _not_seen(node: ast.expr) -> str:
    return f"`asyncio.run` takes a coroutine; that `{ast.unparse(node)}` is one is not seen in this file"


def _threadsafe(reading: Reading, function: Function, call: ast.Call, loop: ast.expr) -> Change:
    if any(keyword.arg != "context" for keyword in call.keywords):
        raise CannotChange("the call is given more than a callback and its arguments")
    editor = Editor(reading)
    name = f"{ast.unparse(loop)}.call_soon_threadsafe"
    editor.expression(call, _renamed("call_soon_threadsafe"))
    return Change(editor.text(), f"`{function.name}` calls `{name}`, which wakes the loop")


def _renamed(name: str) -> ChangeExpression:
    def change(old: cst.BaseExpression) -> cst.BaseExpression:
        assert isinstance(old, cst.Call)  # noqa: S101 - as the tree says
        assert isinstance(old.func, cst.Attribute)  # noqa: S101 - likewise
        return old.with_changes(func=old.func.with_changes(attr=cst.Name(name)))

    return change


def _by_loop(reading: Reading, function: Function, call: ast.Call, loop: ast.expr) -> Change:
    """The method is given to the loop, together with its arguments."""
    _refuse_answers(reading, call)
    if call.keywords:
        raise CannotChange("what the loop calls gets no arguments by name")
    name = f"{ast.unparse(loop)}.call_soon_threadsafe"
    editor = Editor(reading)
    editor.expression(call, _given_to(name))
    later = _used_again(function, call)
    dangers = (f"`{later}` is used again before the loop may have come to it",) if later else ()
    return Change(editor.text(), f"`{function.name}` leaves the call to the loop, by `{name}`", dangers)


def _given_to(name: str) -> ChangeExpression:
    def change(old: cst.BaseExpression) -> cst.BaseExpression:
        assert isinstance(old, cst.Call)  # noqa: S101 - as the tree says
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")) if old.args else cst.MaybeSentinel.DEFAULT
        first = cst.Arg(old.func, comma=comma)
        return old.with_changes(func=cst.parse_expression(name), args=[first, *old.args])

    return change


def _refuse_answers(reading: Reading, call: ast.Call) -> None:
    if not isinstance(reading.parent(call), ast.Expr):
        raise CannotChange("the result of the call is used, and the loop gives none to another thread")
    for above in reading.around(call):
        if isinstance(above, ast.Try) and above.handlers and call.lineno < above.handlers[0].lineno:
            raise CannotChange("what the call raises is caught here, and would be raised in the loop")
        if isinstance(above, Function):
            return


def _used_again(function: Function, call: ast.Call) -> str | None:
    assert isinstance(call.func, ast.Attribute)  # noqa: S101 - as it was matched
    held = call.func.value
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and same(node.value, held) and node is not call.func:
            return ast.unparse(held)
    return None


def _coroutine(reading: Reading, function: Function, call: ast.Call, loop: ast.expr) -> Change:
    _refuse_answers(reading, call)
    if call.keywords or len(call.args) != 1 or isinstance(call.args[0], ast.Starred):
        raise CannotChange("the task is given more than its coroutine")
    needed = say(reading.tree, "asyncio", "run_coroutine_threadsafe")
    editor = Editor(reading)
    text = ast.unparse(loop)

    def change(old: cst.BaseExpression) -> cst.BaseExpression:
        assert isinstance(old, cst.Call)  # noqa: S101 - as the tree says
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        first = old.args[0].with_changes(comma=comma)
        args = [first, cst.Arg(cst.parse_expression(text))]
        return old.with_changes(func=cst.parse_expression(needed.expression), args=args)

    editor.expression(call, change)
    summary = f"`{function.name}` hands the coroutine to `{text}`, which is woken"
    return Change(with_imports(editor.text(), needed), summary)


def _loop_at_hand(reading: Reading, function: Function, call: ast.Call) -> ast.expr:
    """The one loop that the object keeps, or that the function is given."""
    names = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    if "loop" in names:
        return ast.Name("loop")
    owner, receivers = reading.owner(call), [item.arg for item in function.args.args[:1]]
    nodes = [] if owner is None else ast.walk(owner)
    kept = {text for node in nodes for text in _kept_loop(node, receivers)}
    if len(kept) != 1:
        raise CannotChange("the loop that it should be left to is not at hand")
    return ast.parse(kept.pop(), mode="eval").body


def _kept_loop(node: ast.AST, receivers: list[str]) -> list[str]:
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=root)) as target], value=value):
            pass
        case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=root)) as target, value=ast.expr() as value):
            pass
        case _:
            return []
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="asyncio"), attr=name)) if name in _ASKING:
            is_loop = True
        case ast.Name(id=name):
            is_loop = name == "loop" or name.endswith("_loop")
        case _:
            is_loop = False
    return [ast.unparse(target)] if is_loop and [root] == receivers else []
