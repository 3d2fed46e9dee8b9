"""Calls that must not be made lightly while a lock is held.

Code that may block, or that may come back and ask for the same lock, turns a race into a hang. What is known to do
neither is listed in the vocabulary; all else is a stranger, and a patch that holds the lock around one is unsafe.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from racehound.fixes.locking.scopes import FunctionNode, Scope
from racehound.fixes.locking.vocabulary import (
    CONDITION_METHODS,
    CONTAINER_METHODS,
    CONTAINER_NAMES,
    EVENT_METHODS,
    LOG_METHODS,
    QUICK_BUILTINS,
    QUICK_CALLS,
    QUICK_MODULES,
    QUICK_TYPES,
    TELLING_METHODS,
)

CONTAINER_NODES = (ast.Dict, ast.DictComp, ast.JoinedStr, ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Tuple)
LOGGER = re.compile(r"_*log(ger|ging)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stranger:
    """A call by its source text; `returns` where it may well call a method of the object again."""

    text: str
    returns: bool = False


@dataclass(slots=True, kw_only=True)
class Neighbourhood:
    """What is known of the names that a function may call."""

    scope: Scope
    lock: str | None
    containers: frozenset[str]
    """Fields that hold a builtin container."""
    conditions: frozenset[str]
    """Fields that hold a condition over the lock, which is given up while it is waited for."""
    events: frozenset[str]
    methods: dict[str, FunctionNode]
    """Functions that the scope resolves: methods of the class, or functions of the module."""
    functions: dict[str, FunctionNode]
    classes: dict[str, ast.ClassDef]
    owner: ast.ClassDef | None = None
    """The class whose methods these are."""
    seen: set[ast.AST] = field(default_factory=set)


def strangers(nodes: Iterable[ast.AST], near: Neighbourhood, *, within: FunctionNode) -> list[Stranger]:
    """The strangers called below `nodes`, which stand in the function `within`; known functions are followed."""
    return _strangers(nodes, replace(near, seen=set()), within)


def _strangers(nodes: Iterable[ast.AST], near: Neighbourhood, within: FunctionNode) -> list[Stranger]:
    local = _local_containers(within)
    callables = {argument.arg for argument in ast.walk(within.args) if isinstance(argument, ast.arg)}
    found = [
        stranger for node in nodes for inner in _below(node) for stranger in _judge(inner, near, local, callables)
    ]
    return list(dict.fromkeys(found))


def _below(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those of nested functions, which do not run here."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _below(child)


def _judge(node: ast.AST, near: Neighbourhood, local: frozenset[str], callables: set[str]) -> Iterator[Stranger]:
    match node:
        case ast.With(items=items):
            yield from (Stranger(ast.unparse(item.context_expr)) for item in items if _is_foreign(item, near))
        case ast.Call(func=ast.Name(id=name)) if near.owner is not None and name == near.scope.receiver:
            yield from _judge_construction(near.owner, near)
        case ast.Call(func=ast.Name(id=name)) if name in callables:
            yield Stranger(name, returns=True)
        case ast.Call(func=function):
            yield from _judge_call(function, near, local)


def _is_foreign(item: ast.withitem, near: Neighbourhood) -> bool:
    if isinstance(item.context_expr, ast.Call):
        return False  # judged as the call that it is
    return near.lock is None or near.scope.resolve(item.context_expr) not in {near.lock, *near.conditions}


def _judge_call(function: ast.expr, near: Neighbourhood, local: frozenset[str]) -> Iterator[Stranger]:
    text = ast.unparse(function)
    name = near.scope.resolve(function)
    if name is not None and name in near.methods:
        yield from _follow(near.methods[name], near)
    elif isinstance(function, ast.Name):
        yield from _judge_name(function.id, near)
    elif name is not None or text.startswith("super()."):
        yield Stranger(text, returns=True)
    elif isinstance(function, ast.Attribute) and not _is_quick(function, text, near, local):
        yield Stranger(text)
    elif not isinstance(function, ast.Attribute):
        yield Stranger(text, returns=True)


def _judge_name(name: str, near: Neighbourhood) -> Iterator[Stranger]:
    if name in near.functions:
        yield from _follow(near.functions[name], near)
    elif name in near.classes:
        yield from _judge_construction(near.classes[name], near)
    elif name not in QUICK_BUILTINS | QUICK_TYPES:
        yield Stranger(name)


def _judge_construction(node: ast.ClassDef, near: Neighbourhood) -> Iterator[Stranger]:
    bases = [ast.unparse(base) for base in node.bases]
    if any(base not in QUICK_BUILTINS and base not in near.classes for base in bases):
        yield Stranger(node.name)
    for base in bases:
        if base in near.classes:
            yield from _judge_construction(near.classes[base], near)
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name in {"__init__", "__new__", "__post_init__"}:
            yield from _follow(statement, near)


def _follow(function: FunctionNode, near: Neighbourhood) -> list[Stranger]:
    if function in near.seen:
        return []
    near.seen.add(function)
    return _strangers(function.body, near, function)


def _is_quick(function: ast.Attribute, text: str, near: Neighbourhood, local: frozenset[str]) -> bool:
    owner, method = function.value, function.attr
    if text in QUICK_CALLS or text.partition(".")[0] in QUICK_MODULES or method in TELLING_METHODS:
        return True
    if isinstance(owner, ast.Constant | ast.JoinedStr):
        return True
    if method in LOG_METHODS and LOGGER.fullmatch(ast.unparse(owner).rpartition(".")[2]):
        return True
    field_named = near.scope.resolve(owner)
    if (field_named in near.conditions and method in CONDITION_METHODS) or (
        field_named in near.events and method in EVENT_METHODS
    ):
        return True
    known = field_named in near.containers or (isinstance(owner, ast.Name) and owner.id in local)
    return known and method in CONTAINER_METHODS


def is_container(node: ast.AST | None) -> bool:
    """True for a literal, a constructor or an annotation of a builtin container."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in CONTAINER_NAMES
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return isinstance(inner, ast.Name | ast.Attribute) and is_container(inner)
    return isinstance(node, CONTAINER_NODES)


def _local_containers(function: FunctionNode) -> frozenset[str]:
    arguments = [node for node in ast.walk(function.args) if isinstance(node, ast.arg)]
    names = {argument.arg for argument in arguments if is_container(argument.annotation)}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_container(value):
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if is_container(annotation):
                names.add(name)
    return frozenset(names)
