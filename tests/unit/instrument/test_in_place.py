"""Code that is already loaded runs instrumented for a while, and as it was afterwards."""

import functools
import gc
import importlib.util
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from drivers.observed import operations, run_task
from racehound import explore
from racehound.engine.control import CONTROL
from racehound.instrument.in_place import InPlace
from racehound.instrument.kinds import INSTRUMENTED, is_instrumented
from racehound.instrument.loader import hooks_installed

SOURCE = """
import dataclasses
import functools

class Box:
    def __init__(self): self.n = 0
    def plain(self): self.n += 1
    @property
    def double(self): return self.n * 2
    @classmethod
    def made(cls): return cls()
    @staticmethod
    def bump(box): box.n += 1
    def __private(self): return self.n
    def private(self): return self.__private()
    def maker(self):
        def inner(): return self.n
        return inner

def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper

@logged
@functools.lru_cache
def decorated(box): return box.n

def apply(function, box): function(box)

def factory(start):
    count = start
    def add():
        nonlocal count
        count += 1
        return count
    return add

adders = [factory(0), factory(10)]
first, second = lambda box: box.n, lambda box: box.n + 1
table = {"named": lambda box: box.n}
partial = functools.partial(Box.plain)

@dataclasses.dataclass
class Point:
    x: int = 0
    def move(self): self.x += 1

def generate(box):
    yield box.n

async def wait(box): return box.n

def twins(): return [lambda b: b.n, lambda b: b.n]
twin_a, twin_b = twins()
"""


@pytest.fixture(name="module")
def _module(tmp_path: Path) -> Iterator[types.ModuleType]:
    yield from _loaded(tmp_path, SOURCE)


def _loaded(tmp_path: Path, source: str, name: str = "loaded_before") -> Iterator[types.ModuleType]:
    path = tmp_path / f"{name}.py"
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    try:
        yield module
    finally:
        sys.modules.pop(name, None)


@pytest.fixture(name="session")
def _session() -> Iterator[InPlace]:
    session = InPlace()
    with hooks_installed():
        yield session
        session.restore()


def steps(body: Callable[[], object]) -> list[str]:
    trace = run_task(body)
    assert trace.tasks[0].error is None, trace.tasks[0].error
    return [f"{operation.kind.value} {operation.label}" for operation in operations(trace) if operation.label]


CALLS: dict[str, tuple[Callable[[types.ModuleType], object], list[str]]] = {
    "method": (lambda m: m.Box().plain(), ["read n", "write n"]),
    "property": (lambda m: m.Box().double, ["read n"]),
    "class method": (lambda m: m.Box.made().plain(), ["read n", "write n"]),
    "static method": (lambda m: m.Box.bump(m.Box()), ["read n", "write n"]),
    "private method": (lambda m: m.Box().private(), ["read n"]),
    "nested function": (lambda m: m.Box().maker()(), ["read n"]),
    "decorated function": (lambda m: m.decorated(m.Box()), ["read n"]),
    "closure": (lambda m: m.adders[1](), ["read count", "write count", "read count"]),
    "lambda": (lambda m: m.second(m.Box()), ["read n"]),
    "lambda in a container": (lambda m: m.table["named"](m.Box()), ["read n"]),
    "partial": (lambda m: m.partial(m.Box()), ["read n", "write n"]),
    "method of a dataclass": (lambda m: m.Point().move(), ["read x", "write x"]),
    "generator": (lambda m: list(m.generate(m.Box())), ["read n"]),
    "twin of a lambda": (lambda m: m.twin_b(m.Box()), ["read n"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_function_publishes(name: str, module: types.ModuleType, session: InPlace) -> None:
    call, expected = CALLS[name]
    session.include(module.Box)

    published = steps(lambda: call(module))

    assert [step for step in published if step != "write n" or "write n" in expected][-len(expected) :] == expected
    assert not session.unseen


@pytest.mark.parametrize("name", CALLS)
def test_function_is_silent_again_once_restored(name: str, module: types.ModuleType, session: InPlace) -> None:
    call, _ = CALLS[name]
    codes = {
        name: function.__code__
        for name, function in vars(module).items()
        if isinstance(function, types.FunctionType)
    }
    session.include(module.Box)
    session.restore()

    assert steps(lambda: call(module)) == []
    assert INSTRUMENTED not in vars(module)
    assert codes == {name: getattr(module, name).__code__ for name in codes}


@pytest.mark.parametrize(
    "subject",
    [
        lambda module: module.Box,
        lambda module: module.Box(),
        lambda module: module.Box().plain,
        lambda module: module.factory,
        lambda module: module.decorated,
        lambda module: functools.partial(module.factory, 1),
        lambda module: module.adders[0],
    ],
)
def test_anything_leads_to_its_module(
    subject: Callable[[types.ModuleType], object], module: types.ModuleType, session: InPlace
) -> None:
    session.include(subject(module))

    assert is_instrumented(module.Box.plain)


def test_results_stay_the_same(module: types.ModuleType, session: InPlace) -> None:
    before = [
        module.adders[0](),
        module.first(module.Box()),
        module.second(module.Box()),
        module.Point() == module.Point(),
    ]
    session.include(module.Box)

    after = [
        module.adders[0](),
        module.first(module.Box()),
        module.second(module.Box()),
        module.Point() == module.Point(),
    ]

    assert before == [1, 0, 1, True]
    assert after == [2, 0, 1, True]


def test_including_twice_exchanges_once(module: types.ModuleType, session: InPlace) -> None:
    session.include(module.Box)
    code = module.Box.plain.__code__
    session.include(module.factory)

    assert module.Box.plain.__code__ is code


def test_code_of_the_standard_library_is_left_alone(session: InPlace) -> None:
    session.include(textwrap.dedent)
    session.consider(textwrap.dedent)
    session.consider(pytest.raises)
    session.consider(len)

    assert INSTRUMENTED not in vars(textwrap)
    assert INSTRUMENTED not in vars(sys.modules[pytest.raises.__module__])
    assert not session.unseen


def test_function_about_to_be_called_is_included_if_it_is_the_users(
    module: types.ModuleType, session: InPlace
) -> None:
    session.consider(module.factory)
    session.consider(module.factory)

    assert is_instrumented(module.factory)


def test_function_is_discovered_when_instrumented_code_calls_it(
    module: types.ModuleType, session: InPlace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = next(_loaded(tmp_path, "def use(box): box.n += 1", "loaded_elsewhere"))
    monkeypatch.setitem(sys.modules, "loaded_elsewhere", other)
    monkeypatch.setattr(CONTROL, "discover", session.consider)
    session.include(module.Box)
    box = module.Box()

    published = steps(lambda: module.apply(other.use, box))

    assert published == ["read n", "write n"]


def test_missing_source_is_named(module: types.ModuleType, session: InPlace) -> None:
    Path(str(module.__file__)).unlink()
    module.__file__ = str(Path(str(module.__file__)).with_name("gone.py"))

    session.include(module.Box)

    assert [reason for reason in session.unseen if "the source of loaded_before cannot be had" in reason]


def test_source_that_has_changed_since_is_named(module: types.ModuleType, session: InPlace) -> None:
    path = Path(str(module.__file__))
    path.write_text("# moved down by a line\n" + path.read_text(encoding="utf-8"), encoding="utf-8")

    session.include(module.Box)

    assert "Box.plain cannot be matched with its source" in session.unseen


TEST_MODULE = """
    import pytest

    class Box:
        def __init__(self): self.n = 0
        def add(self):
            self.n += 1
            assert self.n, f"{self.n}"

    def test_published():
        from drivers.observed import operations, run_task
        from racehound.instrument.in_place import InPlace
        from racehound.instrument.loader import hooks_installed

        session = InPlace()
        with hooks_installed():
            session.include(Box)
            kinds = [operation.kind.value for operation in operations(run_task(Box().add))]
            session.restore()
        assert kinds == ["read", "write", "read"]
        assert not session.unseen
"""


@pytest.mark.slow
def test_code_that_pytest_has_rewritten_is_instrumented(tmp_path: Path) -> None:
    path = tmp_path / "test_inner.py"
    path.write_text(textwrap.dedent(TEST_MODULE), encoding="utf-8")

    assert (
        pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:timeout", "--rootdir", str(tmp_path), str(path)])
        == 0
    )


class Frozen:
    def __init__(self) -> None:
        self.count = 0

    def add(self) -> None:
        self.count += 1


def test_functions_that_were_hidden_from_the_collector_are_observed_all_the_same() -> None:
    gc.freeze()
    try:
        result = explore(setup=Frozen, workers=[Frozen.add, Frozen.add])
    finally:
        gc.unfreeze()

    assert result.verdict == "race"
