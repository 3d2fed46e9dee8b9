import collections.abc
import dataclasses
import datetime as dt
import decimal
import enum
import importlib
import pathlib
import types
import typing
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from sqlite3 import Connection
from typing import Annotated, Any, Literal, NewType, ParamSpec, Protocol, TypeVar

import pytest

from racehound.errors import HarnessError
from racehound.scenario.arguments import ArgumentBuilder, Given, _example
from racehound.scenario.known_classes import ARGUMENTS, object_of
from racehound.scenario.peers import attributes_of_objects

Bound = TypeVar("Bound", bound=int)
Free = TypeVar("Free")
Some = ParamSpec("Some")
UserId = NewType("UserId", int)


class Color(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: int
    name: str = "p"


class Deep:
    def __init__(self, deep: "Deep") -> None:
        self.deep = deep


NAMES: dict[str, object] = {"__name__": __name__, "Color": Color, "Point": Point, "Deep": Deep}


def text_for(hint: object, name: str = "argument") -> str:
    def function(value: object) -> None: ...

    function.__annotations__ = {"value": hint}
    return ArgumentBuilder(NAMES).call("f", function, skip_first=False)[2:-1]


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (str, "'a'"),
        (int, "1"),
        (bool, "True"),
        (Any, "1"),
        (None, "None"),
        (int | None, "1"),
        (str | int, "'a'"),
        (Literal["x", "y"], "'x'"),
        (Annotated[int, "meta"], "1"),
        (list[int], "[1]"),
        (dict[str, int], "{'a': 1}"),
        (Mapping[str, float], "{'a': 1.0}"),
        (set[str], "{'a'}"),
        (tuple[int, str], "(1, 'a')"),
        (tuple[int, ...], "(1,)"),
        (Sequence[str], "['a']"),
        (Iterable, "['a']"),
        (collections.abc.Mapping, "{'a': 1}"),
        (Callable[[int], str], "(lambda *args, **kwargs: None)"),
        (Bound, "1"),
        (Free, "'a'"),
        (UserId, "1"),
        (Color, "Color.RED"),
        (Point, "Point(1)"),
    ],
)
def test_value_is_written_for_the_type(hint: object, expected: str) -> None:
    assert text_for(hint) == expected


@pytest.mark.parametrize("hint", [Deep, type[types.FrameType], types.FrameType, typing.NoReturn])
def test_type_without_a_value_is_named(hint: object) -> None:
    with pytest.raises(HarnessError, match=r"no value is known for the argument '(value|deep)' of (f|Deep)"):
        text_for(hint)


def test_value_from_another_library_is_found_if_its_text_means_it() -> None:
    def function(value: uuid.UUID, path: pathlib.PurePosixPath, amount: decimal.Decimal) -> None: ...

    names = {"UUID": uuid.UUID, "PurePosixPath": pathlib.PurePosixPath, "Decimal": decimal.Decimal}
    text = ArgumentBuilder(names).call("f", function, skip_first=False)

    value, path, amount = eval(text, names | {"f": lambda *args: args})  # noqa: S307 - the text is the result
    assert isinstance(value, uuid.UUID)
    assert isinstance(path, pathlib.PurePosixPath)
    assert isinstance(amount, decimal.Decimal)


def test_names_say_what_annotations_do_not() -> None:
    def function(  # type: ignore[no-untyped-def]  # noqa: ANN202, PLR0913 - an unannotated function is the case
        key,  # noqa: ANN001
        amount,  # noqa: ANN001
        callback,  # noqa: ANN001
        max_size,  # noqa: ANN001
        item_values,  # noqa: ANN001
        options,  # noqa: ANN001
        *rest,  # noqa: ANN002
        flag=True,  # noqa: ANN001
        **more,  # noqa: ANN003
    ): ...

    text = ArgumentBuilder({}).call("f", function, skip_first=False)

    assert text == "f('a', 1, (lambda *args, **kwargs: None), 1, [1], {'a': 1})"


def test_keyword_only_arguments_are_named_and_the_first_can_be_left_out() -> None:
    def method(self: object, key: str, *, count: int) -> None: ...

    assert ArgumentBuilder({}).call("subject.m", method, skip_first=True) == "subject.m('a', count=1)"


def test_hint_that_cannot_be_resolved_leaves_it_to_the_name() -> None:
    def function(amount: "Unknown") -> None: ...  # type: ignore[name-defined]  # noqa: F821 - the point

    assert ArgumentBuilder({}).call("f", function, skip_first=False) == "f(1)"


def test_callable_without_a_signature_is_named() -> None:
    with pytest.raises(HarnessError, match="the arguments of f are not known"):
        ArgumentBuilder({}).call("f", min, skip_first=False)


def test_class_without_a_signature_is_made_of_nothing() -> None:
    assert ArgumentBuilder({}).call("f", type, skip_first=False) == "f()"


POOL = """
    class Pool:
        def __init__(self, brew, most, crew, book):
            self._brew = brew
            self.most: int = most
            self.crew = crew
            self.book = book

        def get(self):
            return self._brew() if len(self.crew) < self.most else None

        def visit(self, visitor, times):
            for member in self.crew:
                visitor(member)
            return list(range(times)) + list(self.book.items())

    made = {}
    exec("def unreadable(brew):\\n    return brew()", made)
    unreadable = made["unreadable"]
"""


def test_parameter_without_a_telling_name_is_what_the_code_uses_it_as(
    load: Callable[[str], types.ModuleType],
) -> None:
    names = vars(load(POOL))
    builder = ArgumentBuilder(names)
    function = "(lambda *args, **kwargs: None)"

    assert builder.call("Pool", names["Pool"], skip_first=False) == f"Pool({function}, 1, [1], {{'a': 1}})"
    assert builder.call("visit", names["Pool"].visit, skip_first=True) == f"visit({function}, 1)"
    assert builder.call("unreadable", names["unreadable"], skip_first=False) == "unreadable('a')"


@pytest.mark.parametrize(
    ("hint", "text"), [(type, "int"), (type[bytes], "bytes"), (type[Color], "Color"), (type[typing.Any], "int")]
)
def test_class_as_an_argument_is_one_that_can_be_named(hint: object, text: str) -> None:
    def take(kind: object) -> None: ...

    take.__annotations__["kind"] = hint

    assert ArgumentBuilder({"Color": Color}).call("take", take, skip_first=False) == f"take({text})"


def test_objects_of_the_library_are_made_as_the_module_calls_their_class() -> None:
    names: dict[str, object] = {"Delta": dt.timedelta}

    assert object_of(dt.timedelta, names, others=False) == "Delta(seconds=1)"
    assert object_of(Exception, names, others=True) == "Exception('b')"
    assert object_of(pathlib.Path, names, others=False) == "__import__('pathlib').Path('a')"
    assert object_of(type("Own", (), {}), names, others=False) is None


@pytest.mark.parametrize("name", ARGUMENTS)
def test_objects_of_the_library_can_be_made_and_differ(name: str) -> None:
    home, _, kind = name.rpartition(".")
    found = getattr(importlib.import_module(home), kind)
    first, second = (object_of(found, {}, others=others) for others in (False, True))

    assert first is not None
    assert second is not None
    assert type(eval(first)) is type(eval(second))  # noqa: S307 - written by us
    assert first != second


def test_hint_that_has_no_hash_has_no_value() -> None:
    def call(function: Callable[Some, None], *args: Some.args, **kwargs: Some.kwargs) -> None: ...

    with pytest.raises(HarnessError, match="no value is known"):
        ArgumentBuilder({}, given=Given.ANY_NUMBER).call("call", call, skip_first=False)


class Ordered(Protocol):
    def __lt__(self, other: Any) -> bool: ...


class Appending(Protocol):
    def append(self, item: object) -> None: ...


class Handler(Protocol):
    def __call__(self, item: object) -> None: ...


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (TypeVar("Key", bound=typing.Hashable), "'a'"),
        (collections.abc.Hashable, "'a'"),
        (Ordered, "1"),
        (Appending, "['a']"),
        (Handler, "(lambda *args, **kwargs: None)"),
    ],
)
def test_what_is_only_described_has_a_plain_value(hint: object, text: str) -> None:
    def call(value: Any) -> None: ...

    call.__annotations__["value"] = hint

    assert ArgumentBuilder({}).call("call", call, skip_first=False) == f"call({text})"


def test_attributes_are_told_of_a_class_that_hides_its_annotations() -> None:
    class Proxy:
        __annotations__ = property(lambda self: {})  # as proxies of other objects do

        def use(self) -> None: ...

    assert "use" in attributes_of_objects(Proxy)


class Labelled:
    def __init__(self, label: str) -> None:
        self.label = label


def test_texts_are_made_up_without_knowing_all_of_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    def takes_seconds(codec: str) -> object:
        raise AssertionError(codec)

    monkeypatch.setattr("hypothesis.internal.charmap.intervals_from_codec", takes_seconds)
    monkeypatch.setattr("hypothesis.strategies._internal.strings.charmap.intervals_from_codec", takes_seconds)

    made = _example(Labelled)
    _example(Connection)  # of which Hypothesis thinks nothing

    assert isinstance(made, Labelled)
    assert made.label in ("", "a")
