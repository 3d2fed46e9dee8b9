"""The calls that a class or module offers, as source text.

What a program does to an object by syntax is a call here too: `with subject`, `for item in subject`, the setting
of a property.
"""

import ast
import functools
import inspect
import re
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from racehound.errors import HarnessError
from racehound.scenario.arguments import ArgumentBuilder, Given, Guess, Own
from racehound.scenario.decorated import function_behind
from racehound.scenario.expressions import SUBJECT
from racehound.scenario.leaving import catches_something, failing, heeds_exceptions, is_failing
from racehound.scenario.makings import first_possible
from racehound.scenario.mentioned import (
    apart,
    mentioned,
    with_a_keyword,
    with_none_of_any,
    with_one_of_each,
)
from racehound.scenario.raising import raising_what_is_caught
from racehound.scenario.seen_values import NOTHING_SEEN, SeenCall, SeenValues, seen_in_file, seen_in_tests
from racehound.scenario.thread_bodies import is_thread_body
from racehound.scenario.turning import turns_of
from racehound.scenario.usage import returns_itself, tree_of

_BINARY = "eq ne lt le gt ge add sub mul truediv and or xor matmul"
_IN_PLACE = "iadd isub imul itruediv iand ior ixor imatmul ifloordiv imod ilshift irshift"
OPERATORS = frozenset(
    {
        *("__bool__", "__call__", "__contains__", "__delitem__", "__getitem__", "__len__", "__setitem__"),
        *(f"__{name}__" for name in _IN_PLACE.split()),
    }
)
"""Methods that programs call by an operator or as a function."""
OF_TWO = frozenset(f"__{name}__" for name in _BINARY.split())
"""Operators between two objects; only where both are of the class they are worth a call."""
BLOCK = "((block := {0}).__enter__(), (yield), block.__exit__(None, None, None))[0]"
ASYNC_BLOCK = "(await (block := {0}).__aenter__(), (yield), await block.__aexit__(None, None, None))[0]"
UNKNOWN = ("1", "None", "(lambda *args, **kwargs: None)", "[]")
"""Values to try for an argument of a constructor where nothing says what it should be."""
LARGER = (10, 10_000)
"""Numbers to try where one is too small."""
SOME = "[item for _, item in zip(range(3), {0})]"
"""Of a generator that goes on for ever."""
SYNTAX = {
    "__aenter__": ASYNC_BLOCK.format(SUBJECT),
    "__aiter__": f"[item async for item in {SUBJECT}]",
    "__anext__": f"await {SUBJECT}.__anext__()",
    "__enter__": BLOCK.format(SUBJECT),
    "__getattr__": f"{SUBJECT}.anything",
    "__iter__": f"list({SUBJECT})",
    "__next__": f"next({SUBJECT})",
}
"""What stands for a method that only the interpreter calls."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call, the same with other arguments where it has any, and with arguments that it could do without."""

    text: str
    other: str | None = None
    fuller: tuple[str, ...] = ()
    rival: str | None = None
    """The call with the same first argument and others behind it: another value for the same key."""
    turns: tuple[str, ...] = ()
    """The call with arguments with which its code takes another turn."""
    is_body: bool = False
    """Whether it may go on for as long as the program does."""

    @property
    def rank(self) -> int:
        """Methods are worth more than properties that are set, and these more than what is only looked at."""
        if self.text.startswith("setattr("):
            return 1
        return 0 if self.text.endswith((")", "]")) else 2

    @property
    def can_precede(self) -> bool:
        """Whether it can stand in a set-up; what an iteration does there is nothing to begin with."""
        return "async for " not in self.text and not self.is_body

    @property
    def fails_with_others(self) -> bool:
        """Whether the other form hands over a function that raises, or is a block that does."""
        return self.other is not None and ("1 / 0" in self.other or is_failing(self.other))


class CallMaker:
    """Writes calls of functions of a module, or of methods of a class."""

    def __init__(self, module: types.ModuleType, kind: type | None, setup: str | None = None) -> None:
        """`setup` makes an object of the class, where the user says how."""
        own = None if kind is None else Own(kind, setup)
        self._module = module
        self._kind = kind
        self._seen = _seen_in_tests(module, kind)
        self._builders = [
            ArgumentBuilder(vars(module), others=others, seen=self._seen, own=own) for others in (False, True)
        ]
        self._own = own
        self._generous = [
            ArgumentBuilder(vars(module), seen=self._seen, given=given, own=own)
            for given in (Given.OPTIONAL, Given.ANY_NUMBER)
        ]

    def setup(self) -> str:
        """The expression that makes the subject: the first of a few that can be evaluated, or just the first."""
        if self._kind is None:
            return "None"
        texts = self._classes() if issubclass(self._kind, type) else self._makings(self._kind)
        return texts[0] if len(set(texts)) == 1 else first_possible(texts, vars(self._module))

    def _makings(self, kind: type) -> list[str]:
        names = vars(self._module)
        guesses = (*(Guess(unknown=value) for value in UNKNOWN), *(Guess(number=value) for value in LARGER))
        guessing = (ArgumentBuilder(names, guess=guess, seen=self._seen) for guess in guesses)
        texts = [
            builder.call(kind.__qualname__, kind, skip_first=False) for builder in (self._builders[0], *guessing)
        ]
        return [*texts, *self._fuller(kind.__qualname__, kind, skip_first=False)]

    def fuller(self) -> list[str]:
        """The same with what its constructor could do without."""
        if self._kind is None or issubclass(self._kind, type):
            return []
        texts = self._fuller(self._kind.__qualname__, self._kind, skip_first=False)
        return [text for text in texts if text != self.setup()]

    def larger(self) -> list[str]:
        """The same with larger numbers: what is made of small ones may be too small to be used."""
        if self._kind is None or issubclass(self._kind, type):
            return []
        names = vars(self._module)
        larger = [ArgumentBuilder(names, guess=Guess(number=value), seen=self._seen) for value in LARGER]
        usual, *texts = [
            builder.call(self._kind.__qualname__, self._kind, skip_first=False)
            for builder in (self._builders[0], *larger)
        ]
        return [text for text in dict.fromkeys(texts) if text not in (usual, self.setup())]

    def _classes(self) -> list[str]:
        """The objects of a metaclass are classes: an empty one, or those of the module."""
        name = self._kind.__qualname__ if self._kind else ""
        made = [key for key, value in vars(self._module).items() if type(value) is self._kind]
        return [f"{name}('Example', (), {{}})", *made]

    def calls(self, name: str) -> Iterator[Call]:
        """The ways to call what has that name; none if it is nothing to be called."""
        if self._kind is None:
            yield from self._calls_of_function(name)
            return
        member = inspect.getattr_static(self._kind, name, None)
        if name in SYNTAX and member is not None:
            yield from self._syntax_calls(name, member)
        elif isinstance(member, property):
            yield from self._property_calls(name, member)
        elif isinstance(member, functools.cached_property):
            yield Call(f"{SUBJECT}.{name}")
        elif isinstance(member, functools.partialmethod):
            yield self._call(f"{SUBJECT}.{name}", getattr(self._kind, name), skip_first=True)
        elif isinstance(member, functools.singledispatchmethod):
            yield self._call(f"{SUBJECT}.{name}", member.func, skip_first=True)
        elif self._is_method(name, member):
            inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            call = self._call(f"{SUBJECT}.{name}", inner, skip_first=not isinstance(member, staticmethod))
            if name not in OF_TWO or call.text == f"{SUBJECT}.{name}({self._builders[0].of_own()})":
                yield call

    def _calls_of_function(self, name: str) -> Iterator[Call]:
        function = getattr(self._module, name, None)
        if (behind := function_behind(function)) is not None:
            yield self._call(f"{name}.{behind[0]}", behind[1], skip_first=False)
        elif callable(function) and not isinstance(function, type):
            yield self._call(name, function, skip_first=False)
        elif function is None:
            yield from calls_of_methods(self._module, name)

    def pointed(self, name: str) -> list[str]:
        """The call with arguments that its own code speaks of, that the file passes somewhere, or that differ."""
        function, callee, skip_first = self._plainly_called(name)
        if function is None:
            return []
        given = [SeenCall((), tuple(texts.items())) for texts in mentioned(inspect.unwrap(function), self._kind)]
        seen = [_in_file(self._module, self._kind), *(SeenValues({name: [call]}, insists=True) for call in given)]
        builders = [ArgumentBuilder(vars(self._module), seen=each, own=self._own) for each in seen]
        texts = self._texts(builders, callee, function, skip_first=skip_first)
        usual = self._texts(self._builders, callee, function, skip_first=skip_first)
        others = [apart(*usual)] if len(usual) > 1 else []
        others += [changed for text in usual[:1] if (changed := with_a_keyword(text, function)) != text]
        others += raising_what_is_caught(usual[-1:], inspect.unwrap(function))
        return list(dict.fromkeys([*texts, *filter(None, others)]))

    def prepared(self, name: str) -> Iterator[tuple[str, ...]]:
        """The call for two different things: with one of what it has none of by default, and the reverse."""
        function, callee, skip_first = self._plainly_called(name)
        if function is None:
            return
        texts = self._texts(self._builders, callee, function, skip_first=skip_first)
        for changed in (with_one_of_each, with_none_of_any):
            yield tuple(dict.fromkeys(changed(text, function) for text in texts))

    def _plainly_called(self, name: str) -> tuple[Callable[..., object] | None, str, bool]:
        """What has that name (None if it is no function), how it is called, and whether the object comes first."""
        owner: object = self._module if self._kind is None else self._kind
        member = inspect.getattr_static(owner, name, None)
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        callee = name if self._kind is None else f"{SUBJECT}.{name}"
        skip_first = self._kind is not None and not isinstance(member, staticmethod)
        is_plain = isinstance(function, types.FunctionType) and name not in SYNTAX
        return (function, callee, skip_first) if is_plain else (None, callee, skip_first)

    def _texts(
        self,
        builders: Sequence[ArgumentBuilder],
        callee: str,
        function: Callable[..., object],
        *,
        skip_first: bool,
    ) -> list[str]:
        texts = []
        for builder in builders:
            with suppress(HarnessError):
                texts.append(_performed(builder.call(callee, function, skip_first=skip_first), function))
        return texts

    def _syntax_calls(self, name: str, member: object) -> Iterator[Call]:
        if not self._is_taken_step_by_step(name, member):
            yield Call(self._syntax(name), self._failing_block(name))

    def _is_taken_step_by_step(self, name: str, member: object) -> bool:
        """Whether it is the `__iter__` of an iterator: nobody is promised that its items come in one piece."""
        step = inspect.getattr_static(self._kind, name.replace("iter", "next"), None)
        return (
            "iter" in name and inspect.isfunction(step) and inspect.isfunction(member) and returns_itself(member)
        )

    def _syntax(self, name: str) -> str:
        """What stands for the method; of what never ends some items."""
        step = inspect.getattr_static(self._kind, "__next__", None)
        return SOME.format(SUBJECT) if name == "__iter__" and _never_stops(step) else SYNTAX[name]

    def _failing_block(self, name: str) -> str | None:
        """The block that a method opens, left by an exception, where that makes a difference."""
        leave = inspect.getattr_static(self._kind, name.replace("enter", "exit"), None)
        return failing(SYNTAX[name]) if "enter" in name and heeds_exceptions(leave) else None

    def _is_method(self, name: str, member: object) -> bool:
        inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        return callable(inner) and not isinstance(inner, type) and name not in ("__init__", "__new__")

    def _call(self, callee: str, function: Callable[..., object], *, skip_first: bool) -> Call:
        if inspect.isasyncgenfunction(function) and _never_ends(function):
            raise HarnessError(f"{callee} is an asynchronous generator that never ends")
        texts = [
            _performed(builder.call(callee, function, skip_first=skip_first), function)
            for builder in self._builders
        ]
        fuller = self._fuller(callee, function, skip_first=skip_first)
        other = texts[1] if texts[1] != texts[0] else None
        if catches_something(inspect.unwrap(function)) and failing(texts[0]) != texts[0]:
            fuller.append(failing(texts[0]))
            other = other or failing(texts[0])
        others = tuple(text for text in fuller if text != texts[0])
        rival = _rival(*texts) if other is not None else None
        turns = turns_of(texts[0], inspect.unwrap(function), self._kind if skip_first else None)
        is_body = is_thread_body(inspect.unwrap(function), self._kind)
        return Call(texts[0], other, others, rival, turns, is_body)

    def _fuller(self, callee: str, function: Callable[..., object], *, skip_first: bool) -> list[str]:
        """The call with what it could do without, as far as values are known for it."""
        texts: dict[str, None] = {}
        for builder in self._generous:
            with suppress(HarnessError):
                texts[_performed(builder.call(callee, function, skip_first=skip_first), function)] = None
        return list(texts)

    def _property_calls(self, name: str, member: property) -> Iterator[Call]:
        yield Call(f"{SUBJECT}.{name}")
        if member.fset is not None:
            first, second = (builder.of_argument(member.fset, 1) for builder in self._builders)
            text = f"setattr({SUBJECT}, {name!r}, {first})"
            yield Call(text, f"setattr({SUBJECT}, {name!r}, {second})" if first != second else None)


def calls_of_methods(module: types.ModuleType, name: str) -> Iterator[Call]:
    """Calls of what classes of the module have by that name: what they share belongs to the module.

    Each call has an object of its own, where it takes one.
    """
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    for kind in (kind for kind in kinds if kind.__module__ == module.__name__):
        maker, member = CallMaker(module, kind), vars(kind).get(name)
        if isinstance(member, types.FunctionType | classmethod | staticmethod):
            made = maker.setup() if isinstance(member, types.FunctionType) else kind.__qualname__
            for call in maker.calls(name):
                other = None if call.other is None else _on(made, call.other)
                yield Call(_on(made, call.text), other, is_body=call.is_body)


def _on(made: str, text: str) -> str:
    """The call of another object than the subject."""
    return re.sub(rf"\b{SUBJECT}\b(?=\.)", lambda _: made, text)


def _rival(text: str, other: str) -> str | None:
    """The one call with the first argument of the other, where they take more than that."""
    mine, theirs = (ast.parse(each, mode="eval") for each in (text, other))
    calls = [each.value if isinstance(each, ast.Await) else each for each in (mine.body, theirs.body)]
    match calls:
        case [ast.Call(args=[first, _, *_] as held), ast.Call(args=[_, _, *_] as args)] if len(held) == len(args):
            args[0] = first
            found = ast.unparse(theirs)
            return found if found not in (text, other) else None
    return None


def _seen_in_tests(module: types.ModuleType, kind: type | None) -> SeenValues:
    if module.__file__ is None:
        return NOTHING_SEEN
    return seen_in_tests(Path(module.__file__), kind.__name__ if kind else None, _functions(module))


def _in_file(module: types.ModuleType, kind: type | None) -> SeenValues:
    if module.__file__ is None:
        return NOTHING_SEEN
    return seen_in_file(Path(module.__file__), kind.__name__ if kind else None, _functions(module))


def _functions(module: types.ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if isinstance(value, types.FunctionType)]


def _performed(call: str, function: Callable[..., object]) -> str:
    """The call together with what its caller has to do so that something happens."""
    inner = getattr(function, "__wrapped__", None)
    if inspect.isgeneratorfunction(inner) and not inspect.isgeneratorfunction(function):
        return BLOCK.format(call) if _is_block(function) else call
    if inspect.isasyncgenfunction(inner) and _is_block(function):
        return f"await {call}" if inspect.iscoroutinefunction(function) else ASYNC_BLOCK.format(call)
    if inspect.isasyncgenfunction(function):
        return f"[item async for item in {call}]"
    if inspect.isgeneratorfunction(function):
        return SOME.format(call) if _never_ends(function) else f"list({call})"
    return f"await {call}" if inspect.iscoroutinefunction(function) else call


def _never_ends(function: Callable[..., object]) -> bool:
    """Whether a generator goes round and round a loop that nothing ends."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return False
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    return any(
        isinstance(loop.test, ast.Constant) and not any(isinstance(inner, _ENDS) for inner in ast.walk(loop))
        for loop in loops
    )


def _never_stops(step: object) -> bool:
    """Whether the next item of an iterator is always there: nothing in its method can say that it was the last."""
    tree = tree_of(step) if inspect.isfunction(step) else None
    if tree is None:
        return False
    said = {ast.unparse(each).rpartition(".")[2] for each in ast.walk(tree) if isinstance(each, _NAMES)}
    return said.isdisjoint({"StopIteration", "next", "__next__"} - {getattr(step, "__name__", "")})


_NAMES = (ast.Name, ast.Attribute)
_ENDS = (ast.Break, ast.Return, ast.Raise)


def _is_block(function: object) -> bool:
    """Whether a function was made by `contextmanager` or `asynccontextmanager`."""
    code = getattr(function, "__code__", None)
    return isinstance(code, types.CodeType) and code.co_filename.endswith("contextlib.py")
