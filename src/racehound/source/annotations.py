"""Annotations in outline: the classes that they name."""

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

from racehound.source.events import Place, Shape, Value

_HOLDERS = frozenset(
    {
        *("list", "set", "frozenset", "deque", "tuple", "sequence", "mutablesequence", "iterable", "iterator"),
        *(
            "collection",
            "abstractset",
            "mutableset",
            "dict",
            "defaultdict",
            "ordereddict",
            "mapping",
            "mutablemapping",
        ),
        *("weakset", "weakvaluedictionary"),
    }
)
"""Types of containers, in small letters, whose last parameter is what their items are."""
_WRAPPERS = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Union", "Required", "NotRequired"})


def annotation(node: ast.expr | None) -> tuple[Value, ...]:
    """The classes an annotation names, `None` and the arguments of generics left out."""
    if type(node) is ast.Name:
        return _named_class(node.id)  # what most are
    match node:
        case ast.Name() | ast.Attribute():
            place = dotted(node)
            return () if place is None else (Value(Shape.ANNOTATION, place=place),)
        case ast.Constant(value=str(text)) if text.isidentifier():
            return (Value(Shape.ANNOTATION, place=Place(text)),)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return annotation(left) + annotation(right)
        case ast.Subscript(value=generic, slice=inner):
            return _generic(generic, inner)
    return ()


@lru_cache(maxsize=4096)
def _named_class(name: str) -> tuple[Value, ...]:
    return (Value(Shape.ANNOTATION, place=Place(name)),)


def _generic(generic: ast.expr, inner: ast.expr) -> tuple[Value, ...]:
    place = dotted(generic)
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    name = "" if place is None else (place.attributes or (place.root,))[-1]
    if name not in _WRAPPERS:
        found = annotation(generic)
        held = _classes(parts) if name.lower() in _HOLDERS else ()
        return tuple(value._replace(arguments=held) for value in found) if held else found
    return tuple(value for part in parts for value in annotation(part))


def _classes(parts: list[ast.expr]) -> tuple[Value, ...]:
    """What `list[Worker]` and `dict[str, Worker]` say of their items; built-in types say nothing of use."""
    named = [part for part in parts if not (isinstance(part, ast.Constant) and part.value is ...)]
    found = annotation(named[-1]) if named else ()
    return tuple([value for value in found if value.place is not None and _is_class(value.place)])


def _is_class(place: Place) -> bool:
    name = (place.attributes or (place.root,))[-1].lstrip("_")
    return name[:1].isupper() and name != "Any"


def dotted(node: ast.expr) -> Place | None:
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return Place(node.id, tuple(reversed(attributes))) if isinstance(node, ast.Name) else None


def injections(parameters: Sequence[ast.arg]) -> Iterator[tuple[ast.arg, ast.Call]]:
    """`hub: Annotated[Hub, Depends(get_hub)]` says where the value comes from, as a default does."""
    for parameter in parameters:
        hint = parameter.annotation
        if type(hint) is ast.Subscript and type(hint.slice) is ast.Tuple and _is_annotated(hint.value):
            yield from ((parameter, part) for part in hint.slice.elts[1:] if isinstance(part, ast.Call))


def _is_annotated(node: ast.expr) -> bool:
    place = dotted(node)
    return place is not None and (place.attributes or (place.root,))[-1] == "Annotated"
