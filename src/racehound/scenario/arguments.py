"""Arguments for constructors and methods, as Python source, from type hints, defaults and names.

Source text rather than values: a scenario can then be shown, stored in a token, and written into a test.
"""

import builtins
import collections.abc
import enum
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from random import Random

from racehound.errors import HarnessError
from racehound.scenario.collaborators import stand_in
from racehound.scenario.hints import hints_of
from racehound.scenario.known_classes import object_of
from racehound.scenario.listeners import called_back_as, listener
from racehound.scenario.peers import class_meant, says
from racehound.scenario.plain_values import BY_NAME, BY_TYPE, OTHERS_BY_NAME, OTHERS_BY_TYPE, with_numbers
from racehound.scenario.seen_values import NOTHING_SEEN, SeenValues, fits
from racehound.scenario.signatures import hints_for, maker_of, signature_of
from racehound.scenario.stand_ins import (
    NOTHING,
    awaitable_function,
    coroutine_function,
    derived_from,
    is_of_package,
    leaves_open,
    reference_to,
    stub_of,
)
from racehound.scenario.usage import (
    AWAITED,
    COROUTINE,
    FUNCTION,
    LIST,
    MAPPING,
    NUMBER,
    TABLE,
    TEXT,
    required_type,
    uses_of,
)

NESTING = 3
_LEFT_ALONE = frozenset({"deadline", "executor", "lock", "loop", "timeout"})
"""What says how something is done, not what: left at its default."""


class Given(enum.IntEnum):
    """Which arguments a call names; each step includes the ones before."""

    NEEDED = enum.auto()
    OPTIONAL = enum.auto()
    """Also those that are None if nobody names them: most of these choose another way through the function."""
    ANY_NUMBER = enum.auto()
    """Also one of those that `*args` collects."""


@dataclass(frozen=True, slots=True)
class Own:
    """The class whose methods are called."""

    kind: type
    making: str | None = None
    """How an object of it is made, where the user says so."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What to try where the usual values will not do."""

    unknown: str | None = None
    """For arguments of which neither a type nor the name says anything."""
    number: int | None = None
    """For numbers."""


NO_GUESS = Guess()


class ArgumentBuilder:
    """Writes argument expressions that can be evaluated among the names of a module."""

    def __init__(
        self,
        names: Mapping[str, object],
        *,
        others: bool = False,
        guess: Guess = NO_GUESS,
        seen: SeenValues = NOTHING_SEEN,
        given: Given = Given.NEEDED,
        own: Own | None = None,
    ) -> None:
        self._given = given
        self._own = own
        self._names = names
        self._unknown = guess.unknown
        self._seen = seen
        self._rank = int(others)  # the first task has the value that tests use most, the second the next
        self._by_name = OTHERS_BY_NAME if others else BY_NAME
        self._by_type = OTHERS_BY_TYPE if others else BY_TYPE
        if guess.number is not None:
            self._by_name, self._by_type = with_numbers(guess.number)

    def of_argument(self, function: Callable[..., object], position: int) -> str:
        """A value for one argument of a function."""
        parameter = list(inspect.signature(function).parameters.values())[position]
        hint = hints_of(function).get(parameter.name, parameter.annotation)
        return self._for_parameter(getattr(function, "__qualname__", ""), parameter, hint, NESTING)

    def of_own(self) -> str | None:
        """Another object of the class whose methods are called."""
        return self._made(self._own.kind, NESTING) if self._own is not None else None

    def call(self, callee: str, function: Callable[..., object], *, skip_first: bool) -> str:
        """`callee(...)` with the arguments filled in that are to be given."""
        return f"{callee}({', '.join(self._arguments(callee, function, skip_first=skip_first, nesting=NESTING))})"

    def _arguments(
        self, callee: str, function: Callable[..., object], *, skip_first: bool, nesting: int
    ) -> list[str]:
        try:
            signature = signature_of(function)
        except (TypeError, ValueError) as error:
            if isinstance(function, type):  # derived from a built-in one, which says nothing
                return []
            raise HarnessError(f"the arguments of {callee} are not known: {error}") from error
        parameters = list(signature.parameters.values())
        hints = hints_for(function)
        texts = []
        named = False  # once one has been left out, those behind it have to be named
        for parameter in parameters[1:] if skip_first else parameters:
            name = callee.rpartition(".")[2]
            used = self._seen.of(name, signature, parameter.name, skip_first=skip_first)
            given = _is_given(parameter, self._given) or (self._seen.insists and bool(used))
            if not given or (named and parameter.kind in _NAMELESS):
                named = True
                continue
            hint = hints.get(parameter.name, parameter.annotation)
            fitting = [text for text in used if fits(text, hint)][self._rank : self._rank + 1]
            text = fitting[0] if fitting else self._for_object(function, parameter, hint, nesting)
            use = self._use(function, parameter.name)
            text = text or self._for_listener(function, parameter, hint)
            text = text or self._for_use(parameter, hint, use)
            text = text or self._for_collaborator(function, parameter, hint)
            text = text or self._for_parameter(callee, parameter, hint, nesting)
            text = awaitable_function(self._names) if text == NOTHING and use == AWAITED else text
            texts.append(f"{parameter.name}={text}" if named or parameter.kind is parameter.KEYWORD_ONLY else text)
        return texts

    def _for_object(
        self, function: Callable[..., object], parameter: inspect.Parameter, hint: object, nesting: int
    ) -> str | None:
        """An object of a class of the module, where only the use of the argument says that it must be one."""
        own = self._own.kind if self._own is not None else None
        if own is not None and isinstance(hint, str) and says(hint, own):
            return self._made(own, nesting)
        if hint is not parameter.empty or isinstance(function, type):
            return None
        meant = class_meant(function, parameter.name, own, self._own_classes())
        return self._made(meant, nesting) if meant is not None else None

    def _own_classes(self) -> list[type]:
        home = self._names.get("__name__")
        return [kind for kind in self._names.values() if isinstance(kind, type) and kind.__module__ == home]

    def _use(self, function: Callable[..., object], name: str) -> str | None:
        """What the code uses a parameter as; what it insists on comes first."""
        maker = maker_of(function, name) if isinstance(function, type) else function
        owner = function if isinstance(function, type) else None
        home = self._own.kind if self._own is not None else None
        return required_type(maker, name) or uses_of(maker, owner, home=home).get(name)

    def _for_listener(
        self, function: Callable[..., object], parameter: inspect.Parameter, hint: object
    ) -> str | None:
        """Something that is told, where other code calls what the function keeps."""
        is_open = hint in (parameter.empty, typing.Any) or typing.get_origin(hint) is collections.abc.Callable
        if not is_open or isinstance(function, type):
            return None
        use = called_back_as(function, parameter.name, self._own.kind if self._own is not None else None)
        if use is None:
            return None
        return listener("ab"[self._rank], self._names, awaited=use == AWAITED, fails=bool(self._rank))

    def _for_use(self, parameter: inspect.Parameter, hint: object, use: str | None) -> str | None:
        """A value that can be used as the code does, where nothing else says what it is."""
        if use == COROUTINE:
            return coroutine_function(self._names)
        if hint is not parameter.empty or use is None:
            return None
        if use in (TEXT, TABLE):
            return self._by_type[str] if use == TEXT else f"[{self._by_type[list]}]"
        if use == MAPPING:
            return self._by_name[MAPPING]
        required = vars(builtins).get(use)
        if isinstance(required, type) and required in self._by_type and use not in _NAMES_OF_USES:
            return self._by_type[required]
        known = _NAMES_OF_USES.get(use)
        return None if known is None or self._is_named(parameter.name) else self._by_name[known]

    def _for_collaborator(
        self, function: Callable[..., object], parameter: inspect.Parameter, hint: object
    ) -> str | None:
        """An object with what is called on it, where nothing else says what the parameter is."""
        if hint is not parameter.empty:
            return None
        owner = function if isinstance(function, type) else None
        maker = maker_of(function, parameter.name) if isinstance(function, type) else function
        home = self._own.kind if self._own is not None and owner is None else None
        return stand_in(maker, parameter.name, owner, self._names, home=home)

    def _for_parameter(self, callee: str, parameter: inspect.Parameter, hint: object, nesting: int) -> str:
        if hint is parameter.empty or hint is typing.Any or isinstance(hint, str):
            return self._named(parameter.name)
        text = "False" if hint is bool and parameter.name.startswith(_AGAINST) else self._for_type(hint, nesting)
        if text is None:
            shown = getattr(hint, "__qualname__", str(hint))
            wanted = f"the argument {parameter.name!r} of {callee}, which is to be of type {shown}"
            raise HarnessError(f"no value is known for {wanted}")
        return text

    def _named(self, name: str) -> str:
        known = (candidate for candidate in _candidates(name) if candidate in self._by_name)
        return next((self._by_name[candidate] for candidate in known), self._unknown or self._by_type[str])

    def _is_named(self, name: str) -> bool:
        return any(candidate in self._by_name for candidate in _candidates(name))

    def _for_type(self, hint: object, nesting: int) -> str | None:
        if (isinstance(hint, type) or hint is typing.Any) and hint in self._by_type:  # others need not be hashable
            return self._by_type[hint]
        origin = typing.get_origin(hint)
        if origin is not None:
            return self._for_generic(origin, typing.get_args(hint), nesting)
        if hint is typing.Self and self._own is not None:
            return self._made(self._own.kind, nesting)
        if isinstance(hint, typing.TypeVar):
            return self._for_type(hint.__bound__ or str, nesting)
        if isinstance(hint, typing.NewType):
            return self._for_type(hint.__supertype__, nesting)
        if isinstance(hint, type):
            return self._for_class(hint, nesting)
        return None

    def _for_generic(self, origin: object, args: tuple[object, ...], nesting: int) -> str | None:
        if origin in (typing.Union, types.UnionType):
            return next((text for arg in args if (text := self._for_type(arg, nesting)) is not None), None)
        if origin is typing.Literal:
            return repr(args[0])
        if origin in (typing.Annotated, typing.ClassVar, typing.Final):
            return self._for_type(args[0], nesting)
        if origin is collections.abc.Callable:
            return self._function(args, nesting)
        if origin is collections.abc.Hashable:
            return self._by_type[str]
        if origin is type:
            return self._class_itself(args[0])
        inner = [self._for_type(arg, nesting) or "'a'" for arg in args if arg is not ...]
        if not isinstance(origin, type):
            return None
        return _container(origin, inner) if _is_container(origin) else self._for_class(origin, nesting)

    def _function(self, args: tuple[object, ...], nesting: int) -> str:
        """One that returns what can be awaited, where that is what it is said to return."""
        text = self._by_name["callback"]
        returned = args[-1] if args else None
        if text != NOTHING or typing.get_origin(returned) not in _AWAITABLE:
            return text
        results = [self._for_type(each, nesting) for each in typing.get_args(returned)[-1:]]
        return awaitable_function(self._names, results[0] if results else None)

    def _like(self, protocol: type) -> str | None:
        """A plain value that has what a protocol asks for."""
        asked = {name for owner in protocol.__mro__ for name in vars(owner) if _is_asked(owner, name)}
        plain = (int, str, list, dict, types.FunctionType)
        fitting = (kind for kind in plain if all(_offers(kind, name) for name in asked))
        found = next(fitting, None)
        return self._by_name["callback"] if found is types.FunctionType else self._by_type.get(found)

    def _class_itself(self, kind: object) -> str | None:
        if not isinstance(kind, type) or kind is typing.Any:
            return self._by_type[type]
        known = (*self._names.items(), *vars(builtins).items())
        return next((name for name, value in known if value is kind), None)

    def _for_class(self, kind: type, nesting: int) -> str | None:
        if issubclass(kind, types.FunctionType) or kind.__name__ == "Callable":
            return self._by_name["callback"]
        if kind is collections.abc.Hashable:
            return self._by_type[str]
        if kind in _ABSTRACT:
            return _ABSTRACT[kind]
        if getattr(kind, "_is_protocol", False):
            return self._like(kind) or self._derived(kind, nesting)
        known = object_of(kind, self._names, others=bool(self._rank))
        if known is not None:
            return known
        own = is_of_package(kind, self._names)
        is_known = own or any(value is kind for value in self._names.values())
        if is_known and issubclass(kind, enum.Enum):
            return f"{reference_to(kind, self._names)}.{next(iter(kind)).name}"
        example = None if own else _from_hypothesis(kind, self._names)
        return self._made(kind, nesting) if example is None and is_known else example

    def _made(self, kind: type, nesting: int) -> str | None:
        """An object of a class of the program, by its constructor or as the user says."""
        if self._own is not None and self._own.making is not None and issubclass(self._own.kind, kind):
            return self._own.making
        if nesting == 0:
            return None
        if inspect.isabstract(kind):
            return self._derived(kind, nesting)
        finished = self._finished(kind)
        return self._constructed(reference_to(finished, self._names), finished, nesting)

    def _finished(self, kind: type) -> type:
        """The class itself, or one that has what it leaves to others."""
        if not leaves_open(kind):
            return kind
        return next((each for each in derived_from(kind, self._names) if not leaves_open(each)), kind)

    def _constructed(self, callee: str, kind: type, nesting: int) -> str:
        arguments = self._arguments(callee, kind, skip_first=False, nesting=nesting - 1)
        return f"{callee}({', '.join(arguments)})"

    def _derived(self, kind: type, nesting: int) -> str | None:
        """An object of a class that the program derives from an abstract one, or of one that does nothing."""
        for each in derived_from(kind, self._names):
            with suppress(HarnessError):
                return self._constructed(reference_to(each, self._names), each, nesting)
        return (
            self._constructed(stub_of(kind, self._names), kind, nesting)
            if is_of_package(kind, self._names)
            else None
        )


def _candidates(name: str) -> Iterator[str]:
    """What a name may mean: it as a whole, then its last and its first word."""
    words = name.strip("_").split("_")
    yield from (name, words[-1], words[0])


_NAMELESS = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
_NAMES_OF_USES = {
    FUNCTION: "callback",
    AWAITED: "callback",
    NUMBER: "count",
    LIST: "items",
    MAPPING: "mapping",
}
_AWAITABLE = (collections.abc.Awaitable, collections.abc.Coroutine)
_AGAINST = ("disable", "no_", "nolock", "skip", "unlocked", "unsafe", "without")
"""How flags begin that take something away: what is asked about is the class with it."""
_ABSTRACT: dict[type, str] = {
    collections.abc.Iterable: "['a']",
    collections.abc.Sequence: "['a']",
    collections.abc.Mapping: "{'a': 1}",
    collections.abc.MutableMapping: "{'a': 1}",
}


def _offers(kind: type, name: str) -> bool:
    """Whether objects of the class have it; the class itself has more."""
    return any(name in vars(owner) for owner in kind.__mro__)


def _is_asked(owner: type, name: str) -> bool:
    """Whether a name in a class is part of the protocol that it defines, and not of being a protocol."""
    is_own = getattr(owner, "_is_protocol", False) and owner is not typing.Protocol
    return is_own and inspect.isfunction(vars(owner)[name]) and not _offers(object, name)


def _is_container(origin: type) -> bool:
    """Whether the library says what it holds; a class of the program may be generic as well."""
    return origin.__module__ in ("builtins", "collections", "collections.abc", "typing")


def _container(origin: type, inner: list[str]) -> str | None:
    first = inner[0] if inner else "'a'"
    if issubclass(origin, tuple):
        return f"({first},)" if len(inner) <= 1 else f"({', '.join(inner)})"
    if issubclass(origin, collections.abc.Mapping):
        return f"{{{first}: {inner[1] if len(inner) > 1 else '1'}}}"
    if issubclass(origin, collections.abc.Set):
        return f"{{{first}}}"
    if issubclass(origin, type):
        return None
    return f"[{first}]"


def _from_hypothesis(kind: type, names: Mapping[str, object]) -> str | None:
    """A simple value of the type whose text means the same value among the names of the module."""
    example = _example(kind)
    text = repr(example)
    try:
        return text if example is not None and eval(text, dict(names)) == example else None  # noqa: S307 - running the code under proof is the purpose, in a child process
    except (TypeError, NameError, SyntaxError, AttributeError):
        return None


@cache
def _example(kind: type) -> object:
    """The first value that Hypothesis thinks of, which is a simple one; making it simpler still takes seconds."""
    from hypothesis import HealthCheck, Phase, find, settings  # noqa: PLC0415 - kept off the path of those who do not need it
    from hypothesis import strategies as st  # noqa: PLC0415 - kept off the path of those who do not need it

    quick = settings(
        phases=[Phase.generate],
        max_examples=5,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    st.register_type_strategy(str, st.sampled_from(["", "a"]))  # to know all of Unicode takes seconds
    try:
        return find(st.from_type(kind), lambda _: True, settings=quick, random=Random(0))  # noqa: S311 - to be the same every time
    except Exception:  # noqa: BLE001 - the constructor of the type may refuse with whatever it likes
        return None
    finally:
        st.register_type_strategy(str, lambda _: st.text())  # looked into only if somebody asks for it


def _is_given(parameter: inspect.Parameter, given: Given) -> bool:
    if parameter.kind is parameter.VAR_KEYWORD:
        return False
    if parameter.kind is parameter.VAR_POSITIONAL:
        return given >= Given.ANY_NUMBER
    if parameter.default is parameter.empty:
        return True
    return parameter.default is None and given >= Given.OPTIONAL and parameter.name not in _LEFT_ALONE
