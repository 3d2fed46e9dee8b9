"""Loops that wait for each of several things: `for thread in threads: thread.join()`, and the like.

What is behind such a loop comes after all of them. That holds only where each round waits and all rounds are gone
through: a condition, a `break` or a time limit leaves some of them running.
"""

import ast
from collections.abc import Iterator

from racehound.source.events import Place, Waited
from racehound.source.walk import Walk

_WAITS = frozenset({"join", "result", "exception", "get", "wait"})
_SAME_ITEMS = frozenset({"list", "tuple", "set", "sorted", "reversed", "iter", "enumerate", "tqdm"})
_ENDS_EARLY = (ast.Break, ast.Continue, ast.Return)
_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign)


def note_loop(walk: Walk, node: ast.For | ast.AsyncFor) -> None:
    """To be called where the loop ends."""
    name = _last_name(node.target)
    waits = _is_completed(node.iter) or any(_waits(statement, name) for statement in node.body)
    if waits and not _ends_early(node.body):
        _note(walk, _completed(node.iter))


def note_while(walk: Walk, node: ast.While) -> None:
    """`while any(thread.is_alive() for thread in threads)`."""
    match node.test:
        case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp(elt=test, generators=[each])]):
            if not each.ifs and _is_alive(test, _last_name(each.target)) and not _ends_early(node.body):
                _note(walk, each.iter)


def note_comprehension(walk: Walk, node: ast.ListComp) -> None:
    match node.generators:
        case [ast.comprehension(target=target, iter=items, ifs=[])]:
            if _is_completed(items) or _is_waited(node.elt, _last_name(target)):
                _note(walk, _completed(items))


def _note(walk: Walk, items: ast.expr) -> None:
    for place in _places(walk, items):
        walk.facts.loops.append(Waited(len(walk.events), place))


def _places(walk: Walk, items: ast.expr) -> Iterator[Place]:
    """The collections, or single things, that are gone through in full."""
    match items:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _places(walk, left)
            yield from _places(walk, right)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Call(func=ast.Attribute(attr="chain"), args=parts):
            for part in parts:
                yield from _places(walk, part.value if isinstance(part, ast.Starred) else part)
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _SAME_ITEMS:
            yield from _places(walk, inner)
        case ast.Call(func=ast.Attribute(value=inner, attr="values" | "items" | "copy"), args=[]):
            yield from _places(walk, inner)
        case ast.Name() | ast.Attribute():
            place = walk.place(items)
            if place is not None:
                yield place


def _is_completed(items: ast.expr) -> bool:
    """True for `as_completed(futures)` without a time limit: its loop ends when all of them are done."""
    name = getattr(items.func, "attr", getattr(items.func, "id", "")) if isinstance(items, ast.Call) else ""
    return name == "as_completed" and isinstance(items, ast.Call) and len(items.args) == 1 and not items.keywords


def _completed(items: ast.expr) -> ast.expr:
    return items.args[0] if isinstance(items, ast.Call) and _is_completed(items) else items


def _last_name(target: ast.expr) -> str:
    """Of `thread`, and of `index, thread`."""
    last = target.elts[-1] if isinstance(target, ast.Tuple) and target.elts else target
    return last.id if isinstance(last, ast.Name) else ""


def _ends_early(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, _ENDS_EARLY) for statement in body for node in ast.walk(statement))


def _waits(statement: ast.stmt, name: str) -> bool:
    """True if the statement always waits for the thing: what it raises comes when that is over, too."""
    if isinstance(statement, ast.Try) and statement.body:
        return _waits(statement.body[0], name)
    if not isinstance(statement, _SIMPLE) or statement.value is None:
        return False
    return _is_waited(statement.value, name)


def _is_waited(node: ast.expr, name: str) -> bool:
    """True if a value cannot be had without waiting: calls, and what they are given."""
    if isinstance(node, ast.Await):
        return getattr(node.value, "id", None) == name or _is_waited(node.value, name)
    if not isinstance(node, ast.Call):
        return False
    return _is_wait(node, name) or any(_is_waited(argument, name) for argument in node.args)


def _is_wait(node: ast.Call, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr=method), args=[], keywords=[]):
            return found == name and method in _WAITS
    return False


def _is_alive(test: ast.expr, name: str) -> bool:
    match test:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr="is_alive")):
            return found == name
    return False
