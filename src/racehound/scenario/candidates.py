"""Scenarios worth racing: which operations, after which prefix, with which arguments."""

import inspect
import types
from collections.abc import Iterator, Sequence
from itertools import chain, combinations_with_replacement, product

from racehound.errors import HarnessError
from racehound.model.proof import ScenarioText
from racehound.scenario.arguments import ArgumentBuilder
from racehound.scenario.program import SUBJECT

LIMIT = 400
OPERATORS = frozenset({"__call__", "__contains__", "__delitem__", "__getitem__", "__len__", "__setitem__"})
"""Methods that programs call by an operator or as a function."""
LIBRARIES = frozenset({"abc", "builtins", "collections", "collections.abc", "enum", "threading", "typing"})


class Candidates:
    """The calls that a class or module offers, and their combinations in the order worth trying."""

    def __init__(
        self,
        module: types.ModuleType,
        kind: type | None,
        wanted: Sequence[str],
        pair: tuple[str, str] | None = None,
        *,
        widely: bool = False,
    ) -> None:
        self._module = module
        self._kind = kind
        self._widely = widely
        self._builder = ArgumentBuilder(vars(module))
        self.left_out: list[str] = []
        self._first = self._calls(pair) if pair else []
        self._wanted = self._calls((*(pair or ()), *wanted))
        self._others = self._calls([name for name in self._public_names() if name not in wanted])

    def scenarios(self, setup: str | None = None) -> Iterator[ScenarioText]:
        """At most LIMIT scenarios: the wanted operations first, short prefixes first."""
        setup = setup or self.setup()
        for count, (prefix, pair) in enumerate(self._combinations()):
            if count == LIMIT:
                self.left_out.append(f"only the first {LIMIT} scenarios were raced")
                return
            yield ScenarioText(setup=setup, prefix=prefix, tasks=tuple((call,) for call in pair))

    def setup(self) -> str:
        """The expression that makes the subject."""
        if self._kind is None:
            return "None"
        return self._builder.call(self._kind.__qualname__, self._kind, skip_first=False)

    def _combinations(self) -> Iterator[tuple[tuple[str, ...], tuple[str, str]]]:
        """The pair in question after every prefix, then all pairs from the start and after one call."""
        seen: set[tuple[tuple[str, ...], tuple[str, str]]] = set()
        first = [(self._first[0], self._first[-1])] if self._first else []
        short = [prefix for prefix in self._prefixes() if len(prefix) <= 1]
        for combination in chain(product(self._prefixes(), first), product(short, self._pairs())):
            if combination not in seen:
                seen.add(combination)
                yield combination

    def _pairs(self) -> list[tuple[str, str]]:
        calls = [*self._wanted, *self._others] if self._widely else self._wanted or self._others
        return list(combinations_with_replacement(calls, 2))

    def _prefixes(self) -> Iterator[tuple[str, ...]]:
        yield ()
        for call in self._wanted:
            yield (call,)
        for call in self._wanted:
            yield call, call
        for call in self._wanted:
            yield (call,) * 4
        for call in self._others:
            yield (call,)

    def _calls(self, names: Sequence[str]) -> list[str]:
        calls: list[str] = []
        for name in dict.fromkeys(names):
            try:
                call = self._call(name)
            except HarnessError as error:
                self.left_out.append(str(error))
                continue
            if call is not None:
                calls.append(call)
        return calls

    def _call(self, name: str) -> str | None:
        if self._kind is None:
            function = getattr(self._module, name, None)
            if not isinstance(function, types.FunctionType):
                return None
            _refuse_coroutine(name, function)
            return self._builder.call(name, function, skip_first=False)
        return self._method_call(name)

    def _method_call(self, name: str) -> str | None:
        member = inspect.getattr_static(self._kind, name, None)
        if isinstance(member, property):
            return f"{SUBJECT}.{name}"
        inner = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if not callable(inner) or isinstance(inner, type) or name in ("__init__", "__new__"):
            return None
        _refuse_coroutine(name, inner)
        call = self._builder.call(f"{SUBJECT}.{name}", inner, skip_first=not isinstance(member, staticmethod))
        return f"list({call})" if inspect.isgeneratorfunction(inner) else call

    def _public_names(self) -> list[str]:
        if self._kind is None:
            functions = vars(self._module).items()
            home = self._module.__name__
            return [
                name for name, value in functions if getattr(value, "__module__", "") == home and name[0] != "_"
            ]
        own = [owner for owner in self._kind.__mro__ if owner.__module__ not in LIBRARIES]
        names = [name for owner in own for name in vars(owner)]
        return [name for name in dict.fromkeys(names) if not name.startswith("_") or name in OPERATORS]


def _refuse_coroutine(name: str, function: object) -> None:
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise HarnessError(f"{name} is a coroutine function, which cannot be raced yet")
