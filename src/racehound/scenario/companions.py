"""Objects that the tasks of a scenario have in common beside the subject.

What `a.transfer(b)` does wrong it does against `b.transfer(a)`: an argument that each task makes for itself meets
nobody. Here the subject of a scenario is a tuple of all objects that its calls are about, and a call has two
directions: forward, and with the objects of each class in the opposite order.
"""

import ast
import copy
import enum
import inspect
import sys
import types
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, combinations_with_replacement, product

from racehound.errors import HarnessError
from racehound.instrument.kinds import INSTRUMENTED
from racehound.model.proof import ScenarioText
from racehound.scenario.calls import Call, CallMaker
from racehound.scenario.expressions import SUBJECT
from racehound.scenario.makings import another, richer
from racehound.scenario.parts import unpaused
from racehound.scenario.peers import is_looked_into

_VALUES = (BaseException, enum.Enum, tuple, type)
"""Objects of these classes are made anew wherever they are needed."""


@dataclass(frozen=True, slots=True)
class _Form:
    """One call and the objects that it is about."""

    tree: ast.Expression
    receiver: type | None
    """What the subject is an object of, in this call."""
    asked: Mapping[type, int]
    """Of each class, how many objects the call is about."""
    only_keeps: bool
    """Whether it does no more with them than to keep them or to look for them."""


class Companions:
    """Scenarios about several objects, for calls whose arguments are objects of the program."""

    def __init__(self, module: types.ModuleType, kind: type | None, setup: str, *, lone: bool) -> None:
        """`lone`: a single object that a function takes is shared as well; there is nothing else to share."""
        self._module = module
        self._kind = kind
        self._fewest = 1 if lone else 2
        written = ast.parse(setup, mode="eval").body
        self._setup, self._setup_node = ast.unparse(written), type(written)
        self._form = cache(self._read)
        self._makings: dict[type, str] = {} if kind is None else {kind: setup}
        self._another = cache(partial(another, module=module))
        self._richer = cache(partial(richer, module=module))

    def against_themselves(self, calls: Sequence[Call]) -> Iterator[ScenarioText]:
        """Each call that is about several objects, in both directions and twice in the same."""
        for form in self._sharing(calls):
            yield from self._raced(form, form)

    def against_others(self, calls: Sequence[Call], others: Sequence[Call]) -> Iterator[ScenarioText]:
        """The same against all other calls, and against themselves after one call on each of the objects."""
        forms, beside = self._sharing(calls), [self._form(call.text, self._kind) for call in others]
        for form, other in product(forms, beside):
            yield from self._raced(form, other)
        before = [self._form(call.text, self._kind) for call in others if call.can_precede]
        for form in forms:
            for first in chain(before, self._of_companions(form)):
                yield from self._raced(form, form, first)

    def kept(self, calls: Sequence[Call]) -> Iterator[ScenarioText]:
        """Calls that keep an object or look for one, with the same object, also after one that has brought it in.

        Whoever takes back what was registered takes back the same. An object of which more is asked may well
        belong to one caller.
        """
        forms = [self._form(call.text, self._kind) for call in calls if call.can_precede]
        keeping = [form for form in forms if form.only_keeps and len(form.asked) > 1]
        for one, other in combinations_with_replacement(keeping, 2):
            yield from self._raced(one, other)
            for first in keeping:
                yield from self._raced(one, other, first)

    def _of_companions(self, form: _Form) -> Iterator[_Form]:
        """Calls on objects of other classes that a call is about."""
        for kind in form.asked:
            if kind is not self._kind:
                calls = _methods(self._module, kind)
                yield from (self._form(call.text, kind) for call in calls if call.can_precede)

    def _sharing(self, calls: Sequence[Call]) -> list[_Form]:
        texts = dict.fromkeys(chain.from_iterable((call.text, *call.fuller) for call in calls))
        return [form for form in (self._form(text, self._kind) for text in texts) if self._is_shared(form)]

    def _is_shared(self, form: _Form) -> bool:
        """A single object of another class may well belong to the caller, who shares it with nobody."""
        return any(count >= self._fewest for count in form.asked.values())

    def _raced(self, first: _Form, second: _Form, *before: _Form) -> Iterator[ScenarioText]:
        slots = _slots([first, second, *before])
        forward = self._text(first, slots, backward=False)
        prefix = [self._text(form, slots, backward=back) for form in before for back in (False, True)]
        for setup, backward in product(self._setups(slots), (True, False)):
            yield ScenarioText(
                setup=setup,
                prefix=tuple(map(unpaused, dict.fromkeys(prefix))),
                tasks=((forward,), (self._text(second, slots, backward=backward),)),
            )

    def _setups(self, slots: Sequence[type]) -> list[str]:
        """What makes the subject of a scenario: as usual, and with plenty of everything."""
        texts = [self._made(kind, slots[:place].count(kind)) for place, kind in enumerate(slots)]
        better = [self._richer(text, kind) for text, kind in zip(texts, slots, strict=True)]
        return list(dict.fromkeys(map(_tuple, (texts, better))))

    def _made(self, kind: type, number: int) -> str:
        making = self._makings[kind]
        return self._another(making, kind) if number % 2 else making

    def _read(self, text: str, receiver: type | None) -> _Form:
        tree = ast.parse(text, mode="eval")
        asked: Counter[type] = Counter()

        def counted(kind: type, node: ast.expr) -> ast.expr:
            asked[kind] += 1
            if isinstance(node, ast.Call):
                self._makings.setdefault(kind, ast.unparse(node))
            return node

        _Objects(partial(self._kind_of, receiver=receiver), counted).visit(tree)
        return _Form(tree, receiver, asked, self._only_keeps(tree, receiver))

    def _only_keeps(self, tree: ast.AST, receiver: type | None) -> bool:
        return not any(
            self._kind_of(value, receiver) is not None and is_looked_into(function, parameter)
            for function, arguments in _calls_of_methods(tree, receiver)
            for parameter, value in arguments.items()
        )

    def _kind_of(self, node: ast.expr, receiver: type | None) -> type | None:
        """The class of what an expression stands for, if that is an object of the program."""
        if isinstance(node, ast.Name) and node.id == SUBJECT:
            return receiver
        if self._kind is not None and type(node) is self._setup_node and ast.unparse(node) == self._setup:
            return self._kind
        kind = _named(node.func, vars(self._module)) if isinstance(node, ast.Call) else None
        if not isinstance(kind, type) or issubclass(kind, _VALUES) or not _is_observed(kind):
            return None
        return self._kind if self._kind is not None and issubclass(self._kind, kind) else kind

    def _text(self, form: _Form, slots: Sequence[type], *, backward: bool) -> str:
        places = {kind: [at for at, slot in enumerate(slots) if slot is kind] for kind in slots}
        free = {kind: iter(order[::-1] if backward else order) for kind, order in places.items()}

        def placed(kind: type, _: ast.expr) -> ast.expr:
            return ast.Subscript(ast.Name(SUBJECT, ast.Load()), ast.Constant(next(free[kind])), ast.Load())

        objects = _Objects(partial(self._kind_of, receiver=form.receiver), placed)
        return ast.unparse(objects.visit(copy.deepcopy(form.tree)))


class _Objects(ast.NodeTransformer):
    """Puts something in the place of the objects that a call is about, in the order in which they are named."""

    def __init__(
        self,
        kind_of: Callable[[ast.expr], type | None],
        replaced: Callable[[type, ast.expr], ast.expr],
    ) -> None:
        self._kind_of = kind_of
        self._replaced = replaced

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and (kind := self._kind_of(node)) is not None:
            return self._replaced(kind, node)
        changed: ast.AST = self.generic_visit(node)
        return changed


def _slots(forms: Sequence[_Form]) -> list[type]:
    """The classes of the objects of a scenario: of each as many as the call needs that needs most."""
    most: Counter[type] = Counter()
    for form in forms:
        most |= Counter(form.asked)
    return list(most.elements())


def _calls_of_methods(
    tree: ast.AST, receiver: type | None
) -> Iterator[tuple[Callable[..., object], dict[str, ast.expr]]]:
    """The methods of the subject that are called, and what is given for their parameters."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if name == SUBJECT:
                function = inspect.getattr_static(receiver, method, None)
                if inspect.isfunction(function):
                    positional = zip(list(inspect.signature(function).parameters)[1:], node.args, strict=False)
                    named = ((keyword.arg, keyword.value) for keyword in node.keywords if keyword.arg)
                    yield function, {**dict(positional), **dict(named)}


def _methods(module: types.ModuleType, kind: type) -> Iterator[Call]:
    maker = CallMaker(module, kind)
    for name, member in list(vars(kind).items()):
        if not name.startswith("_") and inspect.isfunction(member):
            with suppress(HarnessError):
                yield from maker.calls(name)


def _tuple(texts: Sequence[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _named(node: ast.expr, names: Mapping[str, object]) -> object:
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=name):
            return getattr(_named(value, names), name, None)
    return None


def _is_observed(kind: type) -> bool:
    return INSTRUMENTED in vars(sys.modules.get(kind.__module__, types))
