"""Which expressions denote the state in question, seen from inside a function."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Scope(Protocol):
    @property
    def receiver(self) -> str | None:
        """The name that stands for the object or the class here."""

    def resolve(self, node: ast.AST) -> str | None:
        """The attribute or global that an expression denotes."""

    def constructs(self, node: ast.AST) -> bool:
        """True where calling the expression makes a new object of the class in question."""

    def enter(self, function: FunctionNode) -> "Scope":
        """The scope inside a nested function."""


@dataclass(frozen=True, slots=True)
class ClassScope:
    """Attributes of one class: `self.x`, `cls.x`, `Name.x`, `type(self).x`, `self.__class__.x`."""

    class_name: str
    receiver: str | None

    def resolve(self, node: ast.AST) -> str | None:
        match node:
            case ast.Attribute(value=owner, attr=name) if name != "__class__" and self._is_owner(owner):
                return name
        return None

    def constructs(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in {self.receiver, self.class_name}

    def enter(self, function: FunctionNode) -> "ClassScope":
        return replace(self, receiver=None) if self.receiver in parameters(function) else self

    def _is_owner(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name):
                return name in {self.receiver, self.class_name}
            case ast.Attribute(value=ast.Name(id=name), attr="__class__"):
                return name == self.receiver
            case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)]):
                return name == self.receiver
        return False


@dataclass(frozen=True, slots=True)
class ModuleScope:
    """Globals of one module, less the names that a function binds for itself."""

    shadowed: frozenset[str] = frozenset()
    receiver: None = None

    def resolve(self, node: ast.AST) -> str | None:
        return node.id if isinstance(node, ast.Name) and node.id not in self.shadowed else None

    def constructs(self, node: ast.AST) -> bool:
        del node
        return False

    def enter(self, function: FunctionNode) -> "ModuleScope":
        declared = {name for node in own_nodes(function) if isinstance(node, ast.Global) for name in node.names}
        bound = {name for node in own_nodes(function) for name in _bound_by(node)}
        return ModuleScope((self.shadowed | bound | parameters(function)) - declared)


def parameters(function: FunctionNode) -> frozenset[str]:
    arguments = function.args
    plain = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    return frozenset(argument.arg for argument in (*plain, arguments.vararg, arguments.kwarg) if argument)


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """All nodes below a function but those of functions and classes nested in it, whose own node is included."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def _bound_by(node: ast.AST) -> tuple[str, ...]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return (name,)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return tuple(alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.ExceptHandler(name=str(name)):
            return (name,)
    return ()
