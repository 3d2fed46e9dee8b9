"""What modules hold is the same whether it was looked up before or is gone through again."""

import types
from collections.abc import Callable
from typing import Any

import pytest

from racehound.scenario.snapshot import capture
from racehound.scenario.surroundings import Surroundings, module_roots

Load = Callable[[str], types.ModuleType]

SOURCE = """
    from typing import TypeVar

    T = TypeVar("T")
    LIMIT = 5
    TABLE = {"a": [1], "b": (2, 3)}

    def counted(function):
        calls = 0

        def wrapper(x, memo=[]):
            nonlocal calls
            calls += 1
            return function(x)

        return wrapper

    @counted
    def work(x):
        return x

    def plain(x, *, limit=1):
        return x

    class Kind:
        size = 3
        names = ["a"]

        class Inner:
            depth = 1

        def method(self):
            return self.size
"""


def everything(*modules: types.ModuleType, **further: object) -> dict[str, str]:
    roots: dict[str, object] = dict(further)
    for module in modules:
        roots.update(module_roots(module))
    return capture(roots)


def rebind(module: Any) -> None:
    module.LIMIT = 6


def add_a_name(module: Any) -> None:
    module.LATE = 1


def rename(module: Any) -> None:
    module.LIMITS = vars(module).pop("LIMIT")


def change_inside(module: Any) -> None:
    module.TABLE["a"].append(2)


def call_what_counts(module: Any) -> None:
    module.work(1)


def fill_a_default(module: Any) -> None:
    module.work.__defaults__[0].append(1)


def replace_a_default(module: Any) -> None:
    module.plain.__defaults__ = ([],)


def replace_a_named_default(module: Any) -> None:
    module.plain.__kwdefaults__["limit"] = [1]


def add_a_named_default(module: Any) -> None:
    module.plain.__kwdefaults__["late"] = [1]


def note_on_a_function(module: Any) -> None:
    module.plain.seen = [1]


def set_on_a_class(module: Any) -> None:
    module.Kind.size = 4


def set_on_an_inner_class(module: Any) -> None:
    module.Kind.Inner.depth = 2


def add_to_a_class(module: Any) -> None:
    module.Kind.late = {}


@pytest.mark.parametrize(
    "change",
    [
        *(rebind, add_a_name, rename, change_inside, call_what_counts, fill_a_default, replace_a_default),
        *(replace_a_named_default, add_a_named_default, note_on_a_function, set_on_a_class),
        *(set_on_an_inner_class, add_to_a_class),
    ],
)
def test_every_change_is_seen(load: Load, change: Callable[[Any], None]) -> None:
    module = load(SOURCE)
    surroundings = Surroundings.here()
    before = surroundings.snapshot({})

    change(module)

    assert surroundings.snapshot({}) == everything(module) != before
    assert surroundings.roots() == module_roots(module)


def test_without_a_change_nothing_is_gone_through_again(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(SOURCE)
    surroundings = Surroundings.here()
    known = everything(module)
    monkeypatch.setattr("racehound.scenario.surroundings.module_roots", lambda _: pytest.fail("gone through"))

    assert surroundings.snapshot({}) == known
    assert surroundings.roots()["Kind.names"] is module.Kind.names


def test_what_the_subject_has_in_common_with_a_module_is_told_once(load: Load) -> None:
    module: Any = load(SOURCE)
    surroundings = Surroundings.here()

    found = surroundings.snapshot({"state": [module.TABLE]})

    assert found == everything(module, state=[module.TABLE])
    assert found[f"{module.__name__}.TABLE"] == "same as state[0]"


def test_new_module_makes_it_incomplete(load: Load) -> None:
    load("A = 1")
    surroundings = Surroundings.here()
    assert surroundings.is_complete

    later = load("LATE = [1]")

    assert not surroundings.is_complete
    assert f"{later.__name__}.LATE" in surroundings.roots()
