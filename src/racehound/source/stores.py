"""Statements that store: assignments and deletions."""

import ast

from racehound.source.annotations import annotation
from racehound.source.events import SELF, Action, Call, Place, Shape, Value
from racehound.source.expressions import keys, operator
from racehound.source.other_names import assign_name, note_renaming, note_stores
from racehound.source.questions import note_question
from racehound.source.values import alternatives, kept_by_application, outline
from racehound.source.walk import Walk, span_of


def assign(walk: Walk, node: ast.Assign) -> None:
    if type(node.value) is ast.Tuple and type(node.targets[0]) is ast.Tuple and len(node.targets) == 1:
        targets, given = node.targets[0].elts, node.value.elts
        if len(targets) == len(given):
            _assign_each(walk, targets, given)
            return
    walk.flow = []
    note_stores(walk, node.targets)
    begin, files = len(walk.events), len(walk.facts.files)
    values = alternatives(walk, node.value)
    walk.expression(node.value)
    for target in node.targets:
        store(walk, target, values)
    note_question(walk, node, begin, files)


def _assign_each(walk: Walk, targets: list[ast.expr], given: list[ast.expr]) -> None:
    """`a, b = x, y`: all is read before anything is written, but each target takes its own value alone."""
    pairs: list[tuple[tuple[Value, ...], list[int]]] = []
    for node in given:
        walk.flow = []
        values = alternatives(walk, node)
        walk.expression(node)
        pairs.append((values, walk.flow))
    for target, (values, flow) in zip(targets, pairs, strict=True):
        walk.flow = flow
        store(walk, target, values)


def annotated_assign(walk: Walk, node: ast.AnnAssign) -> None:
    note_annotation(walk, node)
    if node.value is None:
        return
    walk.flow = []
    values = alternatives(walk, node.value)
    walk.expression(node.value)
    if isinstance(node.target, ast.Attribute):
        values += annotation(node.annotation)
    elif values[0].shape is Shape.CONTAINER:
        values += tuple(value for value in annotation(node.annotation) if value.arguments)
    store(walk, node.target, values)


def note_annotation(walk: Walk, node: ast.AnnAssign) -> None:
    """`hub: Hub = request.app["hub"]` says of a local variable what its value does not."""
    if not isinstance(node.target, ast.Name):
        return
    if node.value is None:
        walk.facts.bound.add(node.target.id)
    said = () if walk.top or node.target.id in walk.facts.parameters else annotation(node.annotation)
    if said:
        walk.facts.annotations.setdefault(node.target.id, said)


def store(walk: Walk, target: ast.expr, values: tuple[Value, ...]) -> None:
    if type(target) is ast.Name:
        _store_name(walk, target, values)
    elif type(target) is ast.Attribute:
        _store_attribute(walk, target, values)
    elif type(target) is ast.Subscript:
        _store_item(walk, target, values)
    elif type(target) is ast.Starred:
        store(walk, target.value, ())
    else:
        for part in target.elts if isinstance(target, ast.Tuple | ast.List) else ():
            store(walk, part, ())


def _store_name(walk: Walk, target: ast.Name, values: tuple[Value, ...]) -> None:
    if walk.top or target.id in walk.facts.shared_names:
        if target.id in walk.surroundings.variables or target.id in walk.outer:
            walk.touch(Place(target.id), Action.WRITE, target, values=values)
        if walk.top:
            note_renaming(walk, target.id, values)
    else:
        assign_name(walk, target.id, values)


def _store_attribute(walk: Walk, target: ast.Attribute, values: tuple[Value, ...]) -> None:
    place = walk.place(target)
    if place is None:
        flow = list(walk.flow)
        walk.expression(target.value)
        walk.flow = flow
    elif place.root == SELF or values:
        walk.touch(place, Action.WRITE, target, values=values)


def _resize(walk: Walk, target: ast.Subscript, how: str) -> None:
    place = walk.place(target.value) if walk.iterated else None
    if place is not None and not isinstance(target.slice, ast.Slice):
        walk.resize(place, how, walk.text(target.slice), target)


def _store_item(walk: Walk, target: ast.Subscript, values: tuple[Value, ...]) -> None:
    _resize(walk, target, "[]=")
    found = walk.item(target)
    if found is None:
        flow = list(walk.flow)
        walk.expression(target.value)
        walk.expression(target.slice)
        walk.flow = flow
        place = walk.place(target.value)
        if place is not None and place.attributes == ("environ",):
            method = "__setitem__"
            callee = Place(place.root, ("environ", method))
            walk.events.append(Call(callee, method, None, values[-1:], (), span_of(target), walk.loop))
        kept = kept_by_application(place, target)
        if kept is not None and values:
            walk.touch(kept, Action.WRITE, target, values=values)
        _store_below_call(walk, target, values)
        operator(walk, target, target.value, "__setitem__")
        return
    keys(walk, target)
    walk.touch(found[0], Action.WRITE_ITEM, target, found[1], values)


def _store_below_call(walk: Walk, target: ast.Subscript, values: tuple[Value, ...]) -> None:
    """`registry().entries[name] = entry` puts something into what the call gives."""
    if type(target.value) is ast.Attribute and type(target.value.value) is ast.Call:
        receiver = outline(walk, target.value)
        walk.events.append(Call(None, "__setitem__", receiver, values[-1:], (), span_of(target), walk.loop))


def augmented_assign(walk: Walk, node: ast.AugAssign) -> None:
    walk.flow = []
    target = node.target
    if isinstance(target, ast.Name) and target.id not in walk.facts.shared_names:
        walk.flow.extend(walk.sources.get(target.id, ()))
        walk.expression(node.value)
        _store_name(walk, target, ())
        return
    match target:
        case ast.Subscript():
            walk.expression(target)
        case ast.Attribute() | ast.Name():
            place = walk.place(target)
            if place is not None and (walk.is_tracked(place) or place.attributes):
                walk.touch(place, Action.READ, target)
    walk.expression(node.value)
    store(walk, target, (Value(Shape.OTHER),))


def delete(walk: Walk, node: ast.Delete) -> None:
    walk.flow = []
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            _resize(walk, target, "del")
            found = walk.item(target)
            if found is not None:
                keys(walk, target)
                walk.touch(found[0], Action.DELETE, target, found[1])
                continue
            operator(walk, target, target.value, "__delitem__")
        place = walk.place(target)
        if place is not None and walk.is_tracked(place) and isinstance(target, ast.Attribute):
            walk.touch(place, Action.DELETE, target)
