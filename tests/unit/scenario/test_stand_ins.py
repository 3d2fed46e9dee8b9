"""What is made up where a plain value will not do: functions, and objects of abstract classes."""

import abc
import asyncio
import collections.abc
import functools
import types
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import pytest

from racehound.scenario.arguments import ArgumentBuilder, Guess, Own
from racehound.scenario.candidates import Candidates
from racehound.scenario.stand_ins import NOTHING, reference_to
from racehound.scenario.target import module_name_of

Load = Callable[[str], types.ModuleType]
Item = TypeVar("Item")


class Store(abc.ABC):
    @abc.abstractmethod
    def get(self, key: str) -> str: ...


class Kept(Store):
    def __init__(self, size: int) -> None:
        self.size = size

    def get(self, key: str) -> str:
        return key * self.size


class Strategy(abc.ABC, Generic[Item]):
    @abc.abstractmethod
    async def make(self) -> Item: ...

    @abc.abstractmethod
    def is_closed(self, item: Item) -> bool: ...

    @property
    @abc.abstractmethod
    def name(self) -> str: ...


class Connection(Protocol):
    async def execute(self, query: str) -> None: ...

    def close(self) -> None: ...


NAMES: dict[str, object] = {
    "Connection": Connection,
    "__name__": __name__,
    "asyncio": asyncio,
    "Store": Store,
    "Strategy": Strategy,
}


def text_for(hint: object, name: str = "value", names: dict[str, object] = NAMES) -> str:
    def function(value: object) -> None: ...

    function.__annotations__ = {"value": hint}
    return ArgumentBuilder(names).call("f", function, skip_first=False)[2:-1]


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (Callable[[], Awaitable[int]], "(lambda *args, **kwargs: asyncio.sleep(0, 1))"),
        (Callable[..., Coroutine[Any, Any, str]], "(lambda *args, **kwargs: asyncio.sleep(0, 'a'))"),
        (collections.abc.Callable[[], int], NOTHING),
    ],
)
def test_function_that_is_awaited_returns_something_that_can_be(hint: object, text: str) -> None:
    assert text_for(hint) == text


def test_library_is_fetched_where_the_module_does_not_know_it() -> None:
    text = text_for(Callable[[], Awaitable[int]], names={"__name__": __name__})

    assert text == "(lambda *args, **kwargs: __import__('asyncio').sleep(0, 1))"


def test_abstract_class_is_stood_in_for_by_one_that_derives_from_it() -> None:
    assert text_for(Store) == "Kept(1)"


def test_abstract_class_that_nobody_derives_from_is_stood_in_for_by_one_that_does_nothing() -> None:
    made = eval(text_for(Strategy[int]), dict(NAMES))  # noqa: S307 - that it can be evaluated is the point

    assert isinstance(made, Strategy)
    assert made.is_closed(1) is None
    assert asyncio.run(made.make()) is None
    assert made.name is None


def test_protocol_that_no_plain_value_has_is_stood_in_for_by_one_that_does_nothing() -> None:
    made = eval(text_for(Connection), dict(NAMES))  # noqa: S307 - that it can be evaluated is the point

    assert made.close() is None
    assert asyncio.run(made.execute("a")) is None


def test_class_of_another_module_of_the_package_is_fetched() -> None:
    names: dict[str, object] = {"__name__": "racehound.scenario.arguments"}

    assert reference_to(Guess, names) == "Guess"
    assert (
        reference_to(Own, {"__name__": "racehound"})
        == "__import__('racehound.scenario.arguments').scenario.arguments.Own"
    )
    assert text_for(Guess, names={"__name__": "racehound"}).endswith(".scenario.arguments.Guess()")


PICKY = """
    import functools, inspect

    class Picky:
        def __init__(self, per, fp=None):
            self.per = per or 1

        def keep(self, token):
            assert isinstance(token, bytes)

        def check(self, data):
            if not isinstance(data, int):
                raise TypeError(data)

        def rate(self):
            return 1 / self.per

        def add(self, key):
            return self._place(key)

        def _place(self, key):
            return self._index(key)

        def _index(self, key):
            return 1 if key < 5 else 2

        def connect(self, receiver):
            if not inspect.iscoroutinefunction(receiver):
                raise RuntimeError(receiver)

        async def run(self, job):
            return await job()

        def switch(self, no_lock: bool, is_on: bool):
            pass
"""


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("keep", "b'a'"),
        ("check", "1"),
        ("add", "1"),
        ("connect", "functools.partial(__import__('asyncio').sleep, 0)"),
        ("run", "(lambda *args, **kwargs: __import__('asyncio').sleep(0))"),
        ("switch", "False, True"),
    ],
)
def test_argument_is_what_the_code_insists_on(load: Load, method: str, arguments: str) -> None:
    names = vars(load(PICKY))
    builder = ArgumentBuilder(names, own=Own(names["Picky"]))

    assert builder.call("m", getattr(names["Picky"], method), skip_first=True) == f"m({arguments})"


def test_argument_that_is_kept_if_there_is_one_is_what_it_is_used_as(load: Load) -> None:
    names = vars(load(PICKY))

    assert ArgumentBuilder(names).call("Picky", names["Picky"], skip_first=False) == "Picky(1)"


def test_class_that_stands_for_a_function_is_made_by_its_constructor() -> None:
    class Cached:
        __slots__ = ("__dict__", "__wrapped__")

        def __init__(self, function: Callable[[], object], size: int) -> None:
            self.__wrapped__ = function
            self.size = size

    assert ArgumentBuilder({}).call("Cached", Cached, skip_first=False) == f"Cached({NOTHING}, 1)"
    assert ArgumentBuilder({}).call("f", functools.partial(print, 1), skip_first=False) == "f()"


SIZES = """
    class Filter:
        def __init__(self, capacity, width=1):
            assert capacity >= 4
            self.left = capacity

    class Window:
        def __init__(self, span, unit=1000):
            self.buckets = [0] * int(span / unit)

        def add(self):
            self.buckets[0] += 1

    class Loader:
        def __init__(self, function=None):
            if function is None:
                raise TypeError("what to load with?")
"""


@pytest.mark.parametrize(
    ("name", "setup"),
    [("Filter", "Filter(10)"), ("Window", "Window(1)"), ("Loader", f"Loader({NOTHING})")],
)
def test_subject_is_made_with_what_its_constructor_accepts(load: Load, name: str, setup: str) -> None:
    module = load(SIZES)

    assert Candidates(module, getattr(module, name), []).setup() == setup


def test_larger_numbers_are_there_for_a_subject_that_is_too_small(load: Load) -> None:
    module = load(SIZES)

    assert Candidates(module, module.Window, []).further_setups() == ["Window(10)", "Window(10000)"]
    assert Candidates(module, module.Loader, []).further_setups() == []


def test_operators_that_change_an_object_are_raced_with_any_argument(load: Load) -> None:
    module = load("""
        class Attempts:
            def __init__(self):
                self.count = 0

            def __iadd__(self, more: int):
                self.count += more
                return self

            def __add__(self, more: int):
                return self.count + more
    """)
    tasks = {scenario.tasks[0] for scenario in Candidates(module, module.Attempts, []).scenarios()}

    assert ("subject.__iadd__(1)",) in tasks
    assert not any("__add__" in call for task in tasks for call in task)


def test_of_an_iterator_that_never_ends_some_items_are_taken(load: Load) -> None:
    module = load("""
        class Backoff:
            def __iter__(self):
                self.asked = True
                return self

            def __next__(self):
                return 1

        class Ending(Backoff):
            def __next__(self):
                raise StopIteration
    """)

    def texts(kind: type) -> set[str]:
        return {call for scenario in Candidates(module, kind, []).scenarios() for (call,) in scenario.tasks}

    assert texts(module.Backoff) == {"[item for _, item in zip(range(3), subject)]", "next(subject)"}
    assert texts(module.Ending) == {"list(subject)", "next(subject)"}


def test_an_iterator_that_is_its_own_is_raced_by_steps(load: Load) -> None:
    module = load("""
        class Rows:
            def __iter__(self):
                \"\"\"Itself.\"\"\"
                return self

            def __next__(self):
                raise StopIteration
    """)

    assert {call for found in Candidates(module, module.Rows, []).scenarios() for (call,) in found.tasks} == {
        "next(subject)"
    }


def test_installed_package_without_a_file_of_its_own_belongs_to_the_name(tmp_path: Path) -> None:
    module = tmp_path / "site-packages" / "jar" / "collections" / "__init__.py"
    module.parent.mkdir(parents=True)
    module.touch()
    lone = tmp_path / "work" / "lone.py"

    assert module_name_of(module).name == "jar.collections"
    assert module_name_of(module).root == (tmp_path / "site-packages").resolve()
    assert module_name_of(lone).name == "lone"


def test_another_value_is_raced_for_the_same_key(load: Load) -> None:
    module = load("""
        class Table:
            def put(self, key: str, value: int):
                pass

            async def save(self, key: str, value: int):
                pass

            def take(self, key: str):
                pass
    """)
    tasks = {scenario.tasks for scenario in Candidates(module, module.Table, []).scenarios()}

    assert (("subject.put('a', 1)",), ("subject.put('a', 2)",)) in tasks
    assert (("await subject.save('a', 1)",), ("await subject.save('a', 2)",)) in tasks
    assert not any("take('a', 2)" in call for pair in tasks for (call,) in pair)


def test_what_has_no_limit_by_default_is_raced_with_one_too(load: Load) -> None:
    module = load("""
        class Throttle:
            def __init__(self, rate=float("inf")):
                self.rate = rate

            def call(self):
                return 1 / self.rate
    """)
    setups = {scenario.setup for scenario in Candidates(module, module.Throttle, []).scenarios()}

    assert setups == {"Throttle()", "Throttle(rate=1)", "Throttle(rate=2)"}


def test_own_code_of_a_class_that_is_called_asynchronous_says_whether_it_knows_threads(load: Load) -> None:
    module = load("""
        import threading

        class Limiter:
            def __init__(self):
                self.lock = threading.Lock()

            async def acquire(self):
                pass

        class AsyncLimiter:
            async def acquire(self):
                pass

            def reset(self):
                pass

        class AsyncBridge(AsyncLimiter):
            def close(self):
                def stop():
                    threading.Thread(target=self.reset).start()
                stop()
    """)

    on_loop = {
        name: Candidates(module, getattr(module, name), []).on_loop
        for name in ("Limiter", "AsyncLimiter", "AsyncBridge")
    }
    assert on_loop == {"Limiter": False, "AsyncLimiter": True, "AsyncBridge": False}


OPEN = """
    class Gauge:
        @property
        def kind(self):
            \"\"\"Says what it measures.\"\"\"
            raise NotImplementedError("by who derives from it")

    class Middle(Gauge):
        def read(self):
            raise NotImplementedError

    class Length(Middle):
        kind = "length"

        def read(self):
            return 1

    class Refusing:
        def read(self, way):
            if way:
                raise NotImplementedError
            return 2

    class Heir(Refusing):
        pass

    def add(gauge: Gauge): ...
    def refuse(gauge: Refusing): ...
"""


@pytest.mark.parametrize(("name", "text"), [("add", "add(Length())"), ("refuse", "refuse(Refusing())")])
def test_what_a_class_leaves_to_others_is_taken_from_one_that_has_it(load: Load, name: str, text: str) -> None:
    module = load(OPEN)

    assert ArgumentBuilder(vars(module)).call(name, vars(module)[name], skip_first=False) == text
