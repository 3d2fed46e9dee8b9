"""The initializer that is there, or the one to be written so that construction stays as it was."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from racehound.fixes.locking.scopes import FunctionNode
from racehound.fixes.locking.territory import Territory, ancestors, methods_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """The text of an `__init__` and of the call of the one above it."""

    parameters: str = "self"
    returns: str = ""
    super_arguments: str | None = None
    """None where there is nothing above to call."""


def signature_for(land: Territory) -> Signature:
    """For a class without an `__init__`: takes what its base takes and passes it on."""
    node = land.class_node
    assert node is not None  # noqa: S101 - only classes have initializers
    returns = " -> None" if any(method.returns is not None for method in methods_of(node.body)) else ""
    above = ancestors(node, land.classes)
    inherited = [method for base in above for method in methods_of(base.body) if method.name == "__init__"]
    if not [base for base in node.bases if ast.unparse(base).partition("[")[0] != "object"]:
        return Signature(returns=returns)
    if len(node.bases) == 1 and inherited and _is_portable(inherited[0]):
        return _passing_on(inherited[0], returns)
    return Signature(parameters="self, *args, **kwargs", super_arguments="*args, **kwargs")


def _passing_on(method: FunctionNode, returns: str) -> Signature:
    arguments = method.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)][1:]
    passed = [*positional, *([f"*{arguments.vararg.arg}"] if arguments.vararg else [])]
    passed += [f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs]
    passed += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    return Signature(parameters=ast.unparse(arguments), returns=returns, super_arguments=", ".join(passed))


def _is_portable(method: FunctionNode) -> bool:
    """True where the defaults mean the same in another class body."""
    defaults = [*method.args.defaults, *filter(None, method.args.kw_defaults)]
    return not method.decorator_list and all(isinstance(default, ast.Constant) for default in defaults)


def may_end_with_lock(method: FunctionNode, receiver: str, methods: Sequence[str]) -> bool:
    """True where nobody can see the object before the initializer is done, and it has one way to its end."""
    for node in ast.walk(method):
        match node:
            case ast.Return() | ast.Call(func=ast.Name(id="super")):
                return False
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if (
                name == receiver and attribute in methods
            ):
                return False
    return not _passes_on(method, receiver)


def _passes_on(method: FunctionNode, receiver: str) -> bool:
    """True where the object itself is used, and not only one of its attributes."""
    owners = {id(node.value) for node in ast.walk(method) if isinstance(node, ast.Attribute)}
    mentions = [node for node in ast.walk(method) if isinstance(node, ast.Name) and node.id == receiver]
    return any(id(node) not in owners for node in mentions)
