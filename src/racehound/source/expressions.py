"""Expressions: reads, calls, iterations, pauses."""

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from racehound.source.events import (
    ITEM,
    MAXIMUM_DEPTH,
    SELF,
    Acquire,
    Action,
    Call,
    Decision,
    Flow,
    Pause,
    Place,
    Release,
    Value,
)
from racehound.source.files import FILE_METHODS, note_file_call
from racehound.source.listed_items import note_items
from racehound.source.loop_names import bind_items
from racehound.source.other_names import assign_name
from racehound.source.values import alternatives, given, outline
from racehound.source.waiting_loops import note_comprehension
from racehound.source.walk import Handler, Walk, span_of

MUTATORS = frozenset(
    {
        *("add", "append", "appendleft", "clear", "difference_update", "discard", "extend", "extendleft"),
        *("insert", "intersection_update", "move_to_end", "pop", "popitem", "popleft", "remove", "reverse"),
        *("rotate", "setdefault", "sort", "subtract", "symmetric_difference_update", "update"),
    }
)

RESIZERS = MUTATORS - {"move_to_end", "reverse", "rotate", "setdefault", "sort", "subtract"}


_make = tuple.__new__


def _name(walk: Walk, node: ast.Name) -> None:
    loads = walk.facts.loads
    loads[node.id] = loads.get(node.id, 0) + 1
    sources = walk.sources.get(node.id)
    if sources:
        walk.flow.extend(sources)
    if node.id in walk.surroundings.variables or node.id in walk.outer:
        walk.touch(walk.interned(node.id, ()), Action.READ, node)


def _attribute(walk: Walk, node: ast.Attribute) -> None:
    place = walk.place(node)
    if place is None:
        walk.expression(node.value)
    elif (
        walk.is_tracked(place)
        or (node.attr in walk.surroundings.declared and len(place.attributes) == 1)
        or (walk.testing and walk.is_imported(place))
        or place in walk.stored
        or (place.root == walk.facts.name and place.root not in walk.facts.bound)
    ):
        walk.touch(place, Action.READ, node)
    else:
        _root(walk, node)
        if place in walk.surroundings.changed and not walk.facts.is_async and not walk.top:
            walk.touch(place, Action.READ, node)


def _root(walk: Walk, node: ast.expr) -> None:
    while isinstance(node, ast.Attribute):
        node = node.value
    walk.expression(node)


def _subscript(walk: Walk, node: ast.Subscript) -> None:
    found = walk.item(node)
    if found is None:
        walk.expression(node.value)
        walk.expression(node.slice)
        operator(walk, node, node.value, "__getitem__", node.slice)
        return
    place, key = found
    walk.touch(place, Action.READ, node, key)
    keys(walk, node)


def operator(walk: Walk, node: ast.expr, operand: ast.expr, method: str, argument: ast.expr | None = None) -> None:
    """`self[key]` calls a method of the class."""
    if type(operand) is ast.Name and operand.id == walk.self_name and operand.id not in walk.facts.bound:
        callee = walk.member(SELF, method)
        arguments = () if argument is None else (outline(walk, argument),)
        walk.flow.append(len(walk.events))
        walk.events.append(_make(Call, (callee, method, None, arguments, (), span_of(node), walk.loop)))


_OPERATORS = {
    "bool": "__bool__",
    "dict": "__iter__",
    "iter": "__iter__",
    "len": "__len__",
    "list": "__iter__",
    "next": "__next__",
    "repr": "__repr__",
    "set": "__iter__",
    "sorted": "__iter__",
    "str": "__str__",
    "tuple": "__iter__",
}
"""Built-in functions that leave the work to a method of what they are given."""


def keys(walk: Walk, node: ast.Subscript) -> None:
    """What stands between the brackets of `place[a][b]`; a key does not flow into the value."""
    flow = list(walk.flow)
    inner: ast.expr = node
    while isinstance(inner, ast.Subscript):
        walk.expression(inner.slice)
        inner = inner.value
    walk.flow = flow


def _call(walk: Walk, node: ast.Call) -> None:
    function = node.func
    method = ""
    receiver: Value | None = None
    callee: Place | None = None
    if type(function) is ast.Attribute:
        method = function.attr
        base = walk.place(function.value)
        receiver = outline(walk, function.value) if base is None else walk.value(base)
        callee = None if base is None else _attribute_of(walk, base, method)
        _receiver(walk, node, function, base)
    elif type(function) is ast.Name:
        method, receiver, callee = _named_call(walk, function)
    else:
        receiver = _entry_called(walk, function)
    arguments: tuple[Value, ...] = ()
    keywords: tuple[tuple[str, Value], ...] = ()
    if node.args or node.keywords:
        _go_through(walk, node, method, receiver)
    if node.keywords:
        keywords = tuple([(word.arg, outline(walk, word.value)) for word in node.keywords if word.arg])
    if node.args:
        arguments = tuple([_OUTLINED.get(type(argument), outline)(walk, argument) for argument in node.args])
    if method in FILE_METHODS:
        note_file_call(walk, node, method)
    walk.flow.append(len(walk.events))
    walk.events.append(_make(Call, (callee, method, receiver, arguments, keywords, span_of(node), walk.loop)))
    if method in _EFFECTS and receiver is not None:
        _effect(walk, node, method, receiver)
    elif method in _ON_ARGUMENTS and node.args:
        _on_arguments(walk, node, method)


def _go_through(walk: Walk, node: ast.Call, method: str, receiver: Value | None) -> None:
    """The arguments of a call; of those that a coroutine gives, it is noted what they are made of."""
    if method in _GOING_OVER and node.args and _goes_over(node, method, receiver):
        iterate(walk, node.args[0])
        walk.expressions(node.args[1:])
    elif walk.facts.is_async:
        named = [word for word in node.keywords if word.arg]
        passed = _passed(walk, [*node.args, *(word.value for word in named)])
        walk.expressions([word.value for word in node.keywords if not word.arg])
        if any(passed):
            walk.facts.passed[len(walk.events)] = passed
        return
    else:
        walk.expressions(node.args)
    walk.expressions([word.value for word in node.keywords])


def _passed(walk: Walk, nodes: list[ast.expr]) -> tuple[tuple[int, ...], ...]:
    """Goes through arguments, and tells of each what was seen before the call and is in it."""
    begin = len(walk.events)
    found: list[tuple[int, ...]] = []
    for node in nodes:
        known = len(walk.flow)
        walk.expression(node)
        found.append(tuple([source for source in walk.flow[known:] if source < begin]))
    return tuple(found)


_OUTLINED: dict[type[ast.expr], Callable[[Walk, Any], Value]] = {ast.BinOp: given}


def _entry_called(walk: Walk, function: ast.expr) -> Value | None:
    """The entry behind `HANDLERS[name](request)`; of other callees nothing is known."""
    walk.expression(function)
    return outline(walk, function) if type(function) is ast.Subscript else None


def _named_call(walk: Walk, function: ast.Name) -> tuple[str, Value | None, Place | None]:
    """A plain name; where it is another name of a method, `put = self._queue.put`, that method."""
    callee = walk.place(function)
    if callee is None or not callee.attributes:
        return function.id, None, callee
    receiver = walk.interned(callee.root, callee.attributes[:-1])
    return callee.attributes[-1], walk.value(receiver), callee


def _attribute_of(walk: Walk, base: Place, name: str) -> Place:
    root, attributes = base
    return walk.interned(root, (*attributes, name)[:MAXIMUM_DEPTH]) if attributes else walk.member(root, name)


def _item(walk: Walk, node: ast.Call, method: str) -> str | None:
    """The item that a call is about: its first argument, or the one key of `update({key: value})`."""
    match node.args:
        case [ast.Dict(keys=[ast.expr() as key])]:
            return walk.text(key)
        case [first, *_] if method != "update":
            return walk.text(first)
        case _:
            return None


def _receiver(walk: Walk, node: ast.Call, function: ast.Attribute, place: Place | None) -> None:
    """What a method call does to the object it is called on."""
    base = function.value
    action = Action.MUTATE if function.attr in MUTATORS else Action.READ
    if walk.iterated and place is not None and function.attr in RESIZERS:
        walk.resize(place, function.attr, _item(walk, node, function.attr), node)
    if isinstance(base, ast.Subscript):
        found = walk.item(base)
        if found is not None:
            name = ITEM if action is Action.MUTATE else ""
            walk.touch(found[0], action, node, found[1], method=name)
            keys(walk, base)
            return
    is_told = action is Action.MUTATE or function.attr == "get"
    if place is not None and (walk.is_tracked(place) or (is_told and walk.is_imported(place))):
        key = f"[{walk.text(node.args[0])}]" if node.args else None
        walk.touch(place, action, node, key, method=function.attr)
    elif place is None or not place.attributes:
        walk.expression(base)
    else:
        _root(walk, base)


_COPY, _JSON, _PICKLE = Place("copy"), Place("json"), Place("pickle")
_GOING_OVER = {"deepcopy": (_COPY,), "dump": (_JSON, _PICKLE), "dumps": (_PICKLE,), "max": (), "min": ()}
"""Functions of the standard library that go over what they are given, item by item, and run code on the way.

`max` and `min` do where they are given a key; `sorted` makes a list first.
"""


def _goes_over(node: ast.Call, method: str, receiver: Value | None) -> bool:
    if receiver is not None:
        return receiver.place in _GOING_OVER[method]
    is_built_in = not _GOING_OVER[method] and len(node.args) == 1
    return is_built_in and any(word.arg == "key" for word in node.keywords)


_CHANGING = {
    **dict.fromkeys(("heappush", "heappop", "heapify", "heappushpop", "heapreplace"), "heapq"),
    **dict.fromkeys(("insort", "insort_left", "insort_right"), "bisect"),
    "shuffle": "random",
}
"""Functions of the standard library that change the list they are given, and their modules."""


_ON_ARGUMENTS = frozenset({*_CHANGING, *_OPERATORS, "hasattr", "setattr"})


def _on_arguments(walk: Walk, node: ast.Call, method: str) -> None:
    """What a function looks at, or changes, that it is given."""
    if method in _CHANGING:
        _change(walk, node, method)
    elif method in _OPERATORS:
        if type(node.func) is ast.Name:
            operator(walk, node, node.args[0], _OPERATORS[method])
    elif len(node.args) == 2:
        _asks_for(walk, node.args[0], node.args[1])
    elif method == "setattr" and len(node.args) == 3 and type(node.func) is ast.Name:
        _sets(walk, node)


def _change(walk: Walk, node: ast.Call, method: str) -> None:
    function, place = walk.place(node.func), walk.place(node.args[0])
    if function is None or place is None or not walk.is_tracked(place):
        return
    origin = walk.surroundings.imports.get(function.root, function.root)
    if origin in {_CHANGING[method], f"{_CHANGING[method]}.{method}"}:
        walk.touch(place, Action.MUTATE, node, method=method)


_EFFECTS = frozenset({"acquire", "__enter__", "release", "__exit__", "enter_context"})


def _asks_for(walk: Walk, target: ast.expr, name: ast.expr) -> None:
    """`hasattr(self, "_connection")` looks at that attribute."""
    named = _named_attribute(walk, target, name)
    if named is not None and walk.is_tracked(named):
        walk.touch(named, Action.CHECK, target)


def _sets(walk: Walk, node: ast.Call) -> None:
    """`setattr(self, "_last", number)` writes that attribute."""
    named = _named_attribute(walk, node.args[0], node.args[1])
    if named is not None and walk.is_tracked(named):
        walk.touch(named, Action.WRITE, node, values=(outline(walk, node.args[2]),))


def _named_attribute(walk: Walk, target: ast.expr, name: ast.expr) -> Place | None:
    place = walk.place(target)
    if place is None or not isinstance(name, ast.Constant) or not isinstance(name.value, str):
        return None
    return walk.interned(place.root, (*place.attributes, name.value)[:MAXIMUM_DEPTH])


def _effect(walk: Walk, node: ast.Call, method: str, receiver: Value) -> None:
    if method in {"acquire", "__enter__"}:
        walk.events.append(Acquire(receiver, span_of(node)))
    elif method in {"release", "__exit__"}:
        walk.events.append(Release(receiver, span_of(node)))
    elif node.args:
        entered = outline(walk, node.args[0])
        walk.events.append(Acquire(entered, span_of(node)))
        if receiver.place is not None:
            walk.stacks.get(receiver.place.root, []).append(entered)


def _compare(walk: Walk, node: ast.Compare) -> None:
    walk.expression(node.left)
    for sign, right in zip(node.ops, node.comparators, strict=True):
        place = walk.place(right) if isinstance(sign, (ast.In, ast.NotIn)) else None
        if place is not None and walk.is_state(place):
            walk.touch(place, Action.CHECK, right, f"[{walk.text(node.left)}]")
        else:
            walk.expression(right)
            if place is not None:
                operator(walk, node, right, "__contains__", node.left)


def iterate(walk: Walk, node: ast.expr) -> None:
    """The iterable of a loop; `.items()` and its like iterate the container itself, a copy does not."""
    target = _gone_over(node)
    place = walk.place(target)
    if place is not None and walk.is_state(place):
        walk.touch(place, Action.ITERATE, target)
    else:
        walk.expression(node)


def _gone_over(node: ast.expr) -> ast.expr:
    """What is gone over, item by item, while the loop runs: `enumerate(self.items)` makes no copy."""
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr="items" | "keys" | "values"), args=[]):
            return base
        case ast.Call(func=ast.Name(id="enumerate" | "iter" | "reversed"), args=[base, *_]):
            return _gone_over(base)
        case ast.Call(func=ast.Name(id="filter" | "map"), args=[ast.Constant() | ast.Name(), base]):
            return _gone_over(base)
        case ast.Call(func=ast.Attribute(ast.Name("six"), "iteritems" | "iterkeys" | "itervalues"), args=[base]):
            return base
    return node


def _comprehension(walk: Walk, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
    _generators(walk, node.generators, [node.elt])
    if isinstance(node, ast.ListComp):
        note_comprehension(walk, node)
        note_items(walk, node.generators[0].target, node.generators[0].iter)


def _dict_comprehension(walk: Walk, node: ast.DictComp) -> None:
    _generators(walk, node.generators, [node.key, node.value])


def _generators(walk: Walk, generators: Sequence[ast.comprehension], results: list[ast.expr]) -> None:
    before = walk.sources, walk.aliases
    walk.sources, walk.aliases = dict(walk.sources), dict(walk.aliases)
    iterate(walk, generators[0].iter)
    walk.events.append(Flow.LOOP)
    walk.loop += 1
    for number, generator in enumerate(generators):
        if number:
            iterate(walk, generator.iter)
        if generator.is_async:
            walk.events.append(Pause(span_of(generator.iter), yields=False))
        bind_items(walk, generator.target, generator.iter)
        for condition in generator.ifs:
            walk.test(condition)
    walk.expressions(results)
    walk.loop -= 1
    walk.events.append(Flow.LOOP)
    walk.sources, walk.aliases = before


def _lambda(walk: Walk, node: ast.Lambda) -> None:
    walk.surroundings.define(node, walk.facts, walk.self_name)


def _named(walk: Walk, node: ast.NamedExpr) -> None:
    values = alternatives(walk, node.value)
    walk.expression(node.value)
    assign_name(walk, node.target.id, values)


def _await(walk: Walk, node: ast.Await) -> None:
    walk.expression(node.value)
    walk.events.append(Pause(span_of(node), yields=False, value=outline(walk, node.value)))


def _yield(walk: Walk, node: ast.Yield | ast.YieldFrom) -> None:
    if node.value is not None:
        walk.expression(node.value)
    if not walk.facts.is_old_coroutine:
        walk.events.append(Pause(span_of(node), yields=True))
    elif node.value is not None:
        walk.events.append(Pause(span_of(node), yields=False, value=outline(walk, node.value)))


def _condition(walk: Walk, node: ast.IfExp) -> None:
    before = walk.flow
    walk.flow = []
    walk.decide(node.test)
    walk.flow = [*before, *walk.flow]
    walk.branches(partial(walk.expression, node.body), partial(walk.expression, node.orelse))


def _either(walk: Walk, node: ast.BoolOp) -> None:
    """`a and b`: whether `b` is looked at hangs on `a`."""
    before = walk.flow
    walk.flow = []
    walk.expression(node.values[0])
    if walk.flow:
        walk.events.append(Decision(tuple(walk.flow), span_of(node.values[0])))
        walk.flow = [*before, *walk.flow]
        walk.branches(partial(walk.expressions, node.values[1:]))
    else:
        walk.flow = before
        walk.expressions(node.values[1:])


def _binary(walk: Walk, node: ast.BinOp) -> None:
    """Long sums nest to the left: a loop, so that a thousand terms need no thousand frames."""
    rights: list[ast.expr] = []
    left: ast.expr = node
    while isinstance(left, ast.BinOp):
        rights.append(left.right)
        left = left.left
    walk.expression(left)
    walk.expressions(reversed(rights))


def _dict(walk: Walk, node: ast.Dict) -> None:
    walk.expressions(key for key in node.keys if key is not None)
    walk.expressions(node.values)


def _slice(walk: Walk, node: ast.Slice) -> None:
    walk.expressions(part for part in (node.lower, node.upper, node.step) if part is not None)


EXPRESSIONS: dict[type[ast.AST], Handler] = {
    ast.Attribute: _attribute,
    ast.Await: _await,
    ast.BinOp: _binary,
    ast.BoolOp: _either,
    ast.Call: _call,
    ast.Compare: _compare,
    ast.Dict: _dict,
    ast.DictComp: _dict_comprehension,
    ast.FormattedValue: lambda walk, node: walk.expression(node.value),
    ast.GeneratorExp: _comprehension,
    ast.IfExp: _condition,
    ast.JoinedStr: lambda walk, node: walk.expressions(node.values),
    ast.Lambda: _lambda,
    ast.List: lambda walk, node: walk.expressions(node.elts),
    ast.ListComp: _comprehension,
    ast.Name: _name,
    ast.NamedExpr: _named,
    ast.Set: lambda walk, node: walk.expressions(node.elts),
    ast.SetComp: _comprehension,
    ast.Slice: _slice,
    ast.Starred: lambda walk, node: walk.expression(node.value),
    ast.Subscript: _subscript,
    ast.Tuple: lambda walk, node: walk.expressions(node.elts),
    ast.UnaryOp: lambda walk, node: walk.expression(node.operand),
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
}
"""Constants are not in it: nothing happens there."""
