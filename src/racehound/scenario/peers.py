"""Arguments that are objects of the program's own classes, told by what is done with them.

`transfer(self, other)` that changes `other.balance` wants another account, whether a type says so or not.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from racehound.scenario.usage import tree_of, trees_of_class

_OTHERS = "another counterpart dest destination dst from_ left neighbor neighbour other partner peer receiver "
_OTHERS += "recipient rhs right sender sibling source src target that to twin"
NAMES: Final = frozenset(_OTHERS.split())
"""What programs call the other one of two."""
_OF_BUILT_INS: Final = frozenset(name for kind in (bytes, dict, float, list, set, str) for name in dir(kind))
_WORDS: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")


@dataclass(frozen=True, slots=True)
class Use:
    """What a function does with one of its parameters."""

    attributes: frozenset[str]
    beside_self: bool
    """Whether it is put beside the first parameter as one of the same kind: compared, sorted."""
    types: frozenset[str]
    """The names of classes that it is tested for, or of what these are asked of."""


def class_meant(
    function: Callable[..., object], name: str, own: type | None, classes: Iterable[type]
) -> type | None:
    """The class of which an argument must be, or the one that all of these derive from; `own` has the function."""
    use = _use(function, name)
    if use is None:
        return None
    if own is not None and _is_meant(use, name, own):
        return own
    fitting = [kind for kind in classes if kind is not own and _is_used_as(use, kind)]
    return next((kind for kind in fitting if all(issubclass(other, kind) for other in fitting)), None)


def is_looked_into(function: Callable[..., object], name: str) -> bool:
    """Whether a function asks more of an argument than which one it is, as far as its own source tells."""
    use = _use(function, name)
    return use is None or bool(use.attributes)


def says(annotation: str, kind: type) -> bool:
    """Whether an annotation that cannot be evaluated names the class itself."""
    bare = re.sub(r"\bNone\b|\bOptional\b|[\s'\"|\[\]]", "", annotation)
    return bare.rpartition(".")[2] in (kind.__name__, "Self")


def _is_meant(use: Use, name: str, own: type) -> bool:
    if not _has_all(use, own):
        return False
    if use.beside_self or _is_telling(use) or use.types & {own.__name__, "self"}:
        return True
    return bool(use.attributes) and (name in NAMES or _words(name) & _words(own.__name__) != set())


def _is_used_as(use: Use, kind: type) -> bool:
    return _has_all(use, kind) and (_is_telling(use) or kind.__name__ in use.types)


def _has_all(use: Use, kind: type) -> bool:
    return use.attributes <= attributes_of_objects(kind)


def _is_telling(use: Use) -> bool:
    """Whether a plain value could not be meant."""
    return not use.attributes <= _OF_BUILT_INS


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORDS.findall(name)}


@cache
def attributes_of_objects(kind: type) -> frozenset[str]:
    """What objects of a class have: what it defines, declares, or sets by its own methods."""
    annotations = (getattr(owner, "__annotations__", None) for owner in kind.__mro__)
    declared = (name for names in annotations if isinstance(names, dict) for name in names)
    written = (name for tree in trees_of_class(kind) for name in _set_on_self(tree))
    return frozenset({*dir(kind), *declared, *written})


def _set_on_self(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


@cache
def _use(function: Callable[..., object], name: str) -> Use | None:
    tree = tree_of(function)
    if tree is None:
        return None
    attributes = (
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    )
    pair = {_first_parameter(tree), name}
    nodes = list(ast.walk(tree))
    tested = (each for node in nodes for each in _types_tested(node, name))
    is_beside = len(pair) > 1 and any(_puts_beside(node, pair) for node in nodes)
    return Use(frozenset(attributes), is_beside, frozenset(tested))


def _first_parameter(tree: ast.AST) -> str:
    parameters = (node.args for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return next((each.arg for args in parameters for each in (*args.posonlyargs, *args.args)), "")


def _puts_beside(node: ast.AST, pair: set[str]) -> bool:
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return pair <= _names(elements)
        case ast.Compare(left=left, comparators=others):
            return pair <= _names([left, *others]) or pair <= _identified([left, *others])
    return False


def _types_tested(node: ast.AST, name: str) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=tested), kind]) if tested == name:
            yield from (each.id for each in ast.walk(kind) if isinstance(each, ast.Name))


def _names(nodes: Iterable[ast.expr]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _identified(nodes: Iterable[ast.expr]) -> set[str]:
    """The names whose identities are asked for: `id(self) < id(other)`."""
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return {name for call in calls if _names([call.func]) == {"id"} for name in _names(call.args)}
