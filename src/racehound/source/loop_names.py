"""What loops bind to their names: `for worker in self.workers`, `for key, worker in table.items()`."""

import ast

from racehound.source.events import EACH, EACH_VALUE, Place, Shape, Value
from racehound.source.walk import Walk

_COPIES = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter"})
"""Built-in functions that give the same items."""
_PAIR = 2


def bind_items(walk: Walk, target: ast.expr, iterable: ast.expr) -> None:
    """Binds the names of a loop; of the one that is each item in turn it is known where it is taken from."""
    name, values = _item(walk, target, iterable)
    for each in names_in(target):
        walk.bind(each, values if each == name else (), is_item=True)


def names_in(target: ast.expr) -> list[str]:
    """Names that stand in the target of a loop."""
    if type(target) is ast.Name:
        return [target.id]
    if type(target) is ast.Tuple and all(type(part) is ast.Name for part in target.elts):
        return [part.id for part in target.elts if type(part) is ast.Name]
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _item(walk: Walk, target: ast.expr, iterable: ast.expr) -> tuple[str, tuple[Value, ...]]:
    iterable = _uncopied(iterable)
    if type(target) is ast.Name:
        return target.id, _taken(walk, iterable)
    if type(target) is ast.Tuple and len(target.elts) == _PAIR and type(iterable) is ast.Call:
        last, function = target.elts[1], iterable.func
        if type(last) is ast.Name and type(function) is ast.Name and function.id == "enumerate" and iterable.args:
            return last.id, _taken(walk, _uncopied(iterable.args[0]))
        if type(last) is ast.Name and type(function) is ast.Attribute and function.attr == "items":
            return last.id, _taken_from(walk, function.value, EACH_VALUE)
    return "", ()


def _uncopied(node: ast.expr) -> ast.expr:
    while type(node) is ast.Call:
        function = node.func
        if type(function) is ast.Name and function.id in _COPIES and node.args:
            node = node.args[0]
        elif type(function) is ast.Attribute and function.attr == "copy" and not node.args:
            node = function.value
        else:
            break
    return node


def _taken(walk: Walk, node: ast.expr) -> tuple[Value, ...]:
    if type(node) is not ast.Call:
        return _taken_from(walk, node, EACH)
    function = node.func
    is_view = type(function) is ast.Attribute and function.attr == "values" and not node.args
    return _taken_from(walk, function.value, EACH_VALUE) if is_view and type(function) is ast.Attribute else ()


def _taken_from(walk: Walk, node: ast.expr, how: str) -> tuple[Value, ...]:
    place = walk.place(node)
    return () if place is None or not _may_be_known(walk, place) else _interned(walk, how, place)


def _may_be_known(walk: Walk, place: Place) -> bool:
    """False for what a function makes without saying what is in it; of what it is given, its callers may."""
    root, facts = place.root, walk.facts
    if root in facts.bound:
        return root in facts.bindings
    if root not in facts.parameters:
        return True
    known = facts.annotations.get(root, ())
    return bool(known) if place.attributes else not known or any(value.arguments for value in known)


def _interned(walk: Walk, how: str, place: Place) -> tuple[Value, ...]:
    """One object for all loops over a place: there are many."""
    items = walk.surroundings.items
    key = (how, id(place))
    found = items.get(key)
    if found is None:
        found = items[key] = (Value(Shape.OTHER, how, arguments=(walk.value(place),)),)
    return found
