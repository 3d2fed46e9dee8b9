"""The state of the pass over one function, and the few verbs its handlers share.

Handlers are plain functions in two tables, by node type (`expressions`, `statements`): a dictionary lookup per
node is several times faster than a visitor class.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from racehound.source.closures import outer_state
from racehound.source.events import (
    MAXIMUM_DEPTH,
    SELF,
    Action,
    Bind,
    Decision,
    Exit,
    Flow,
    Place,
    Resize,
    Shape,
    Span,
    Touch,
    Value,
)
from racehound.source.facts import FunctionFacts

Handler: TypeAlias = Callable[["Walk", Any], None]
Handlers: TypeAlias = Mapping[type[ast.AST], Handler]
_make = tuple.__new__
NestedFunction: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Surroundings:
    """What the function under way sees of its module."""

    __slots__ = (
        "changed",
        "classes",
        "declared",
        "define",
        "define_class",
        "fixed",
        "imports",
        "items",
        "lines",
        "members",
        "named",
        "places",
        "started",
        "values",
        "variables",
    )

    def __init__(
        self,
        lines: Sequence[str],
        imports: dict[str, str],
        define: Callable[[NestedFunction, FunctionFacts, str | None], FunctionFacts],
        define_class: Callable[[ast.ClassDef, FunctionFacts], None],
    ) -> None:
        self.lines = lines
        self.imports = imports
        self.define = define
        self.define_class = define_class
        self.places: dict[tuple[str, tuple[str, ...]], Place] = {}
        self.members: dict[str, dict[str, Place]] = {}
        """Those of one attribute, by their root: most are, and a pair as a key takes longer to make."""
        self.values: dict[int, Value] = {}
        """By the identities of the places above, which live as long."""
        self.items: dict[tuple[str, int], tuple[Value, ...]] = {}
        """What loops take from them."""
        self.named: dict[str, Value] = {}
        """Plain names, as values."""
        self.variables: frozenset[str] = frozenset()
        self.classes: frozenset[str] = frozenset()
        """Classes at the top of the module: `Service._instance` is state that all threads share."""
        self.changed: frozenset[Place] = frozenset()
        """Attributes of other objects than `self` that some function stores, by the names it has for them."""
        self.declared: frozenset[str] = frozenset()
        """Fields that a lock is declared for: `other._count` matters as well."""
        self.fixed: dict[str, bool] = {}
        """Private constants of the module that are True or False for good: `_IS_SYNC`."""
        self.started: frozenset[str] = frozenset()
        """Names of functions that the module hands to threads."""

    def forget(self) -> None:
        """Cuts the circle with whoever defines functions: the lines are freed at once, not by the collector."""
        del self.define, self.define_class
        self.lines = ()


class Iteration(NamedTuple):
    place: Place
    names: frozenset[str]
    """What the loop binds to each item."""
    is_mapping: bool
    loop: int
    span: Span


class Question(NamedTuple):
    """What a local variable holds the answer to."""

    events: tuple[int, int]
    """Half-open ranges of what was looked at, and of what was done to files."""
    files: tuple[int, int]
    test: str
    """As in `Decision`."""
    is_call: bool
    """The answer is what a call gives, and may be more than an answer."""


class Walk:
    """Collects the events of `facts` while handlers go through its body."""

    __slots__ = (
        "_expressions",
        "_statements",
        "aliases",
        "events",
        "facts",
        "flow",
        "iterated",
        "loop",
        "outer",
        "questions",
        "self_name",
        "sources",
        "stacks",
        "stored",
        "surroundings",
        "testing",
        "top",
    )

    def __init__(
        self,
        facts: FunctionFacts,
        self_name: str | None,
        surroundings: Surroundings,
        tables: tuple[Handlers, Handlers],
    ) -> None:
        self._statements, self._expressions = tables
        self.facts = facts
        self.events = facts.events
        self.self_name = self_name
        self.surroundings = surroundings
        self.top = facts.is_module_body
        self.flow: list[int] = []
        """Touches whose value is in the expression under way."""
        self.sources: dict[str, tuple[int, ...]] = {}
        """Touches whose value is in a local variable."""
        self.aliases: dict[str, Place] = {}
        """Local names that stand for a shared place: `failures = self._failures`."""
        self.questions: dict[str, Question] = {}
        """Local variables that were last given the answer to a question."""
        self.stacks: dict[str, list[Value]] = {}
        """What was entered through each ExitStack that is open."""
        self.iterated: list[Iteration] = []
        """The containers that the loops under way go over, in place."""
        self.loop = 0
        self.outer = outer_state(facts)
        """Variables of the functions around this one that hold state, and what threads are started with."""
        if facts.name in surroundings.started:
            self.outer |= frozenset(facts.parameters) - {self_name}
        self.stored: set[Place] = set()
        """What it has written of other modules: to read that again may be to find what another one wrote."""
        self.testing = False

    def block(self, body: Iterable[ast.stmt]) -> None:
        handlers = self._statements
        for statement in body:
            handlers[type(statement)](self, statement)

    def expression(self, node: ast.expr) -> None:
        handler = self._expressions.get(type(node))
        if handler is not None:
            handler(self, node)

    def expressions(self, nodes: Iterable[ast.expr]) -> None:
        handlers = self._expressions
        for node in nodes:
            handler = handlers.get(type(node))
            if handler is not None:
                handler(self, node)

    def test(self, node: ast.expr) -> None:
        """An expression whose value only decides which way to go."""
        before, self.testing = self.testing, True
        self.expression(node)
        self.testing = before

    def decide(self, node: ast.expr) -> None:
        """A test, and the branch that hangs on it."""
        self.test(node)
        if self.flow:
            self.events.append(_make(Decision, (tuple(self.flow), span_of(node), comparison(node))))

    def branches(self, *bodies: Callable[[], None]) -> None:
        """Runs each body from the same state; afterwards only what all of them agree on is known for sure."""
        self.events.append(Flow.FORK)
        sources, aliases = self.sources, self.aliases
        ends: list[tuple[dict[str, tuple[int, ...]], dict[str, Place]]] = []
        for number, body in enumerate(bodies):
            if number:
                self.events.append(Flow.ALTERNATIVE)
            if body is not nothing:
                self.sources, self.aliases = dict(sources), dict(aliases)
                body()
                if not self._is_left():
                    ends.append((self.sources, self.aliases))
            else:
                ends.append((sources, aliases))
        self.events.append(Flow.JOIN)
        ends = ends or [(sources, aliases)]
        self.sources = _union([end[0] for end in ends])
        self.aliases = _agreed([end[1] for end in ends])

    def _is_left(self) -> bool:
        """True behind a `return` or a `raise`: nothing of what was known there comes to what follows."""
        last = self.events[-2:]
        return len(last) > 1 and last[1] is Flow.LEAVE and isinstance(last[0], Exit) and last[0].kind in _FINAL

    def place(self, node: ast.expr) -> Place | None:
        """The place an expression names, with local aliases looked through."""
        if type(node) is ast.Name:
            return self.named(node.id).place
        if type(node) is not ast.Attribute:
            return None
        inner = node.value
        if type(inner) is ast.Name and inner.id not in self.aliases:
            return self.member(SELF if inner.id == self.self_name else inner.id, node.attr)
        attributes = [node.attr]
        while type(inner) is ast.Attribute:
            attributes.append(inner.attr)
            inner = inner.value
        if type(inner) is not ast.Name:
            return None
        alias = self.aliases.get(inner.id)
        if alias is not None:
            return self.interned(alias.root, (*alias.attributes, *reversed(attributes))[:MAXIMUM_DEPTH])
        root = SELF if inner.id == self.self_name else inner.id
        return self.interned(root, tuple(reversed(attributes))[:MAXIMUM_DEPTH])

    def named(self, name: str) -> Value:
        """A plain name as a value."""
        alias = self.aliases.get(name)
        if alias is not None:
            return self.value(alias)
        known = self.surroundings.named.get(name)
        if known is not None and name != self.self_name:
            return known
        if name == self.self_name:
            return self.value(self.interned(SELF, ()))
        found = self.surroundings.named[name] = self.value(self.interned(name, ()))
        return found

    def member(self, root: str, attribute: str) -> Place:
        """An attribute of a plain name; the same object that `interned` has."""
        members = self.surroundings.members.get(root)
        if members is None:
            members = self.surroundings.members[root] = {}
        place = members.get(attribute)
        if place is None:
            place = members[attribute] = self.interned(root, (attribute,))
        return place

    def interned(self, root: str, attributes: tuple[str, ...]) -> Place:
        """The same places are named again and again: one object for all of them keeps the facts small."""
        places = self.surroundings.places
        key = (root, attributes)
        place = places.get(key)
        if place is None:
            place = places[key] = _make(Place, key)
        return place

    def value(self, place: Place) -> Value:
        """An interned place as a value: one object as well, found by the identity of the place."""
        values = self.surroundings.values
        found = values.get(id(place))
        if found is None:
            found = values[id(place)] = _make(Value, (Shape.PLACE, "", place, (), ()))
        return found

    def item(self, node: ast.Subscript) -> tuple[Place, str] | None:
        """The tracked place below one or more subscripts, and their text."""
        inner: ast.expr = node
        while isinstance(inner, ast.Subscript):
            inner = inner.value
        place = self.place(inner)
        if place is None or not self.is_state(place):
            return None
        return place, self.between(inner, node)

    def is_state(self, place: Place) -> bool:
        """True for what is tracked, and for what may be a variable of another module: `state.table`."""
        return self.is_tracked(place) or self.is_imported(place)

    def is_imported(self, place: Place) -> bool:
        origin = self.surroundings.imports.get(place.root)
        if origin is None or len(place.attributes) > 1:
            return False
        return origin.partition(".")[0] not in sys.stdlib_module_names

    def is_tracked(self, place: Place) -> bool:
        """True for attributes of `self` and of classes, for variables of the module and of functions around."""
        if place.root == SELF:
            return bool(place.attributes)
        if place.root in self.surroundings.variables or place.root in self.outer:
            return True
        return bool(place.attributes) and place.root in self.surroundings.classes

    def touch(
        self,
        place: Place,
        action: Action,
        node: ast.expr | ast.stmt,
        key: str | None = None,
        values: tuple[Value, ...] = (),
        *,
        method: str = "",
    ) -> int:
        """Records an access and lets its value flow on; a change takes in what has flowed so far."""
        if action is Action.READ and self.testing:
            action = Action.CHECK
        writes = action is Action.WRITE or action is Action.WRITE_ITEM
        sources = tuple(self.flow) if writes else ()
        index = len(self.events)
        if sources:
            self.facts.fed.append(index)
        self.events.append(_make(Touch, (place, action, span_of(node), key, values, sources, method)))
        if action is Action.WRITE:
            self._forget(place)
            if place.root in self.surroundings.imports:
                self.stored.add(place)
        else:
            self.flow.append(index)
        return index

    def resize(self, place: Place, how: str, key: str | None, node: ast.expr | ast.stmt) -> None:
        """Records a change of size of a container that a loop around goes over."""
        for iteration in self.iterated:
            if iteration.place == place:
                follows = key in iteration.names
                between = self.loop - iteration.loop
                span = span_of(node)
                self.events.append(
                    Resize(place, how, follows, iteration.is_mapping, between, span, iteration.span)
                )

    def _forget(self, place: Place) -> None:
        stale = [name for name, target in self.aliases.items() if target == place]
        for name in stale:
            del self.aliases[name]

    def bind(self, name: str, values: tuple[Value, ...] = (), *, is_item: bool = False) -> None:
        """A local name takes what has flowed so far; what a loop takes, only the event tells, for few ask."""
        facts = self.facts
        facts.bound.add(name)
        if name in self.outer:
            self.outer -= {name}
        if values and not is_item:
            facts.bindings.setdefault(name, []).extend(values)
        self.aliases.pop(name, None)
        self.questions.pop(name, None)
        if self.flow:
            # Each once: `x = x + x` would double them at every turn.
            self.sources[name] = tuple(dict.fromkeys(self.flow))
        else:
            self.sources.pop(name, None)
        self.events.append(_make(Bind, (name, values, self.loop)))

    def between(self, start: ast.expr, end: ast.expr) -> str:
        """Source text from the end of one node to the end of another; columns of long lines need not be exact."""
        line = self.surroundings.lines[start.end_lineno - 1] if start.end_lineno else ""
        if start.end_lineno == end.end_lineno:
            return line[start.end_col_offset : end.end_col_offset]
        return line[start.end_col_offset :]

    def text(self, node: ast.expr) -> str:
        line = self.surroundings.lines[node.lineno - 1]
        return line[node.col_offset : node.end_col_offset if node.lineno == node.end_lineno else None]


def nothing() -> None:
    """The body of an `else` that is not there."""


def span_of(node: ast.expr | ast.stmt) -> Span:
    # Past the constructor of the named tuple, which would double the time for what is made most often.
    line, last = node.lineno, node.end_lineno
    return _make(Span, (line, node.col_offset, line if last == line else last, node.end_col_offset))


_FINAL = frozenset({"return", "raise"})


def _union(maps: list[dict[str, tuple[int, ...]]]) -> dict[str, tuple[int, ...]]:
    if len(maps) == 1:
        return maps[0]
    result = dict(maps[0])
    for other in maps[1:]:
        for name, indices in other.items():
            known = result.get(name, ())
            result[name] = known if known == indices else tuple(dict.fromkeys((*known, *indices)))
    return result


def _agreed(maps: list[dict[str, Place]]) -> dict[str, Place]:
    first = maps[0]
    if len(maps) == 1 or not first:
        return first
    return {name: place for name, place in first.items() if all(other.get(name) == place for other in maps)}


_COMPARISONS: dict[type[ast.cmpop], str] = {ast.Eq: "==", ast.Gt: ">", ast.GtE: ">="}


def comparison(node: ast.expr) -> str:
    if type(node) is not ast.Compare or len(node.ops) != 1:
        return ""
    sign, other = _COMPARISONS.get(type(node.ops[0]), ""), node.comparators[0]
    small = isinstance(other, ast.Constant) and other.value in {0, 1}
    return f"{sign} {other.value!r}" if sign and small and isinstance(other, ast.Constant) else sign
