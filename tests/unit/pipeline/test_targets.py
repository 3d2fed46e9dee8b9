"""Targets of all kinds, and what is said of those that cannot be raced."""

from pathlib import Path

import pytest

from racehound.cli import exits
from racehound.cli.main import main
from racehound.errors import UsageError
from racehound.pipeline.targets import Named, find_target


def test_packages_are_not_imported_to_find_a_module_in_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "outer" / "inner"
    package.mkdir(parents=True)
    for place in (package.parent, package):
        (place / "__init__.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    (package / "leaf.py").write_text("class Leaf: ...\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    assert find_target("outer.inner.leaf:Leaf") == Named(Path("outer/inner/leaf.py"), "Leaf", None)
    with pytest.raises(UsageError, match=r"there is no module outer.inner.other"):
        find_target("outer.inner.other:Leaf")
    with pytest.raises(UsageError, match=r"there is no module outer.inner.leaf.deeper"):
        find_target("outer.inner.leaf.deeper:Leaf")


def test_module_that_another_one_stands_for_is_found() -> None:
    with pytest.raises(UsageError, match=r"os\.path has no Python source"):  # it is part of the interpreter
        find_target("os.path:join")


ODD = """
import abc
import enum
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")
total = 0


class Abstract(abc.ABC):
    @abc.abstractmethod
    def go(self): ...


class Concrete(Abstract):
    def go(self):
        return 1


class Alone(abc.ABC):
    @abc.abstractmethod
    def go(self): ...


class Asked(Protocol):
    def go(self): ...


class Connected:
    def __init__(self, connection: sqlite3.Connection):
        self.connection = connection

    def go(self):
        return 1


class Empty:
    def __init__(self):
        self.x = 1


class Outer:
    class Inner:
        def __init__(self):
            self.n = 0

        def increment(self):
            self.n += 1

        def read(self):
            return self.n


class Calling:
    def __init__(self, callback: Callable[[int], int]):
        self.callback = callback
        self.n = 0

    def fire(self):
        n = self.n
        self.callback(n)
        self.n = n + 1


@dataclass
class Data:
    name: str
    count: int = 0

    def bump(self):
        self.count += 1


class Box(Generic[T]):
    def __init__(self, value: T):
        self.value, self.gets = value, 0

    def get(self) -> T:
        self.gets += 1
        return self.value


class Color(enum.Enum):
    RED = 1

    def other(self):
        return Color.RED


class Counts(dict):
    def increment(self, key: str):
        self[key] = self.get(key, 0) + 1


class Asking:
    def __init__(self):
        self._n = 0

    @property
    def n(self):
        self._n += 1
        return self._n


def anything(*args, **kwargs):
    global total
    total += 1


async def waits():
    import asyncio

    global total
    seen = total
    await asyncio.sleep(0)
    total = seen + 1


async def stream():
    while True:
        yield 1


def connected(connection: sqlite3.Connection):
    return 1


if total == 0:
    def conditional():
        class Local: ...
"""


@pytest.fixture(autouse=True)
def _odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("odd.py").write_text(ODD, encoding="utf-8")


@pytest.mark.parametrize(
    ("target", "class_name", "function"),
    [
        ("odd.py::Data", "Data", None),
        ("odd:Data", "Data", None),
        ("odd.py::Data.bump", "Data", "bump"),
        ("odd.py::Outer.Inner", "Outer.Inner", None),
        ("odd.py::waits", None, "waits"),
        ("odd.py::conditional", None, "conditional"),
    ],
)
def test_target_is_a_class_a_method_or_a_function(
    target: str, class_name: str | None, function: str | None
) -> None:
    assert find_target(target) == Named(Path("odd.py"), class_name, function)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("odd.py::Dato", "has no class or function Dato; did you mean Data?"),
        ("odd.py::zzz", "has no class or function zzz; it has Abstract, Concrete"),
        ("odd.py::Empty.x", "has no class or function Empty.x; did"),
        ("odd.py::conditional.Local", "is inside a function"),
        ("odd.py::", "names no class or function"),
        ("nowhere.py::A", "nowhere.py does not exist"),
        ("no.such.module:A", "there is no module no.such.module"),
        ("itertools:count", "itertools has no Python source to observe"),
        ("broken.py::A", "(broken.py, line 1)"),
    ],
)
def test_target_that_does_not_exist_says_what_is_there(target: str, said: str) -> None:
    Path("broken.py").write_text("class A(\n", encoding="utf-8")

    with pytest.raises(UsageError) as caught:
        find_target(target)

    assert said.removesuffix("; did") in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Abstract", "Abstract is abstract: it lacks go; name one that is derived from it, such as Concrete"),
        ("Alone", "Alone is abstract: it lacks go; name a class that is derived from it"),
        ("Asked", "Asked is a protocol, of which there are no objects; name a class"),
        (
            "Connected",
            "the argument 'connection' of Connected, which is to be of type Connection; say with --setup",
        ),
        ("Empty", "Empty has no public method or property to race; say with --op"),
        ("stream", "stream is an asynchronous generator that never ends; say with --op"),
        ("connected", "the argument 'connection' of connected, which is to be of type Connection; say with --op"),
    ],
)
def test_target_that_cannot_be_raced_says_in_one_line_what_is_missing(
    name: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["prove", f"odd.py::{name}", "--budget", "5"]) == exits.USAGE

    shown, errors = capfd.readouterr()
    assert shown == ""
    assert said in errors
    assert errors.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["Outer.Inner", "Calling", "Data", "Box", "Counts", "Asking", "anything", "waits", "Data.bump"]
)
def test_odd_target_is_proven_racy(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", f"odd.py::{name}", "--budget", "20"]) == exits.FINDINGS
    assert "race" in capfd.readouterr().out


@pytest.mark.slow
def test_only_the_named_method_is_raced(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "odd.py::Outer.Inner.read", "--budget", "20"]) == exits.NOTHING
    assert "safe" in capfd.readouterr().out


@pytest.mark.slow
def test_given_calls_need_no_given_setup(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "odd.py::Data", "--op", "subject.bump()"]) == exits.FINDINGS
    assert "Data('a')" in capfd.readouterr().out


def test_name_that_a_package_only_passes_on_is_found_where_it_is_defined(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "from .parts import *\nfrom .gone import A\nfrom shop.stock.core import Stock as S",
        "shop/parts/__init__.py": "from ..loop import Part\nfrom .broken import Odd\n",
        "shop/parts/broken.py": "class Odd(",
        "shop/loop.py": "from .parts import Endless\ntry:\n    class Part: ...\nexcept ImportError:\n    pass\n",
        "shop/stock/core.py": "class Stock:\n    def take(self): ...\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    package = tmp_path / "shop" / "__init__.py"

    assert find_target(f"{package}::Part") == Named(tmp_path / "shop" / "loop.py", "Part", None)
    assert find_target(f"{package}::S.take") == Named(tmp_path / "shop/stock/core.py", "Stock", "take")
    for missing in ("A", "Endless", "Odd"):
        with pytest.raises(UsageError, match=f"has no class or function {missing}"):
            find_target(f"{package}::{missing}")
